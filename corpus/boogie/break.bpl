procedure main()
{
  var i: int;

  i := 0; //~ relevance: enforcing
  while (true) {
    if (i == 5) {
      break;
    }
    i := i + 1; //~ relevance: enforcing
  }
  assert i < 5; //~ failure: assertion
}

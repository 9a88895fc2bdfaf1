procedure main()
{
  var mode, x: int;

  mode := 2; //~ relevance: enforcing
  goto A, B;
A:
  assume mode == 1;
  x := 1;
  goto Done;
B:
  assume mode == 2;
  x := 0; //~ relevance: enforcing 1
  goto Done;
Done:
  assert x != 0; //~ failure: assertion
}

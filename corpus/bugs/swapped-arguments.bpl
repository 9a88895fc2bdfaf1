procedure average(total: int, count: int) returns (mean: int)
  requires count != 0;
{
  mean := total div count; //~ relevance: enforcing 5
}

procedure main()
{
  var total, count, mean: int;

  total := 0; //~ relevance: enforcing
  count := 0; //~ relevance: enforcing
  while (count < 3) {
    total := total + 5; //~ relevance: enforcing
    count := count + 1; //~ relevance: enforcing
  }
  call mean := average(count, total); //~ fault
  //~^ relevance: enforcing 75, enforcing, enforcing 5
  assert mean == 5; //~ failure: assertion
}

// The day after the last of a month: the day is set back, the month stays.

procedure tomorrow(day: int, month: int) returns (d: int, m: int)
{
  d := day + 1; //~ relevance: enforcing
  m := month; //~ relevance: enforcing
  if (d > 30) {
    d := 1; //~ relevance: enforcing
    //~^ fault
  }
}

procedure main()
{
  var d, m: int;

  call d, m := tomorrow(30, 4); //~ relevance: enforcing, enforcing, enforcing, enforcing
  assert d + 100 * m > 430; //~ failure: assertion
}

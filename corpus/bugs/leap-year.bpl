// Years that are divisible by 100 are leap years if they are divisible by 400.

procedure is_leap(year: int) returns (leap: bool)
{
  leap := false;
  if (year mod 4 == 0) {
    leap := true;
  }
  if (year mod 100 == 0) {
    leap := false; //~ relevance: enforcing true
  }
  if (year mod 400 == 100) { //~ fault
    leap := true;
  }
}

procedure main()
{
  var leap: bool;

  call leap := is_leap(2000); //~ relevance: enforcing, enforcing true
  assert leap; //~ failure: assertion
}

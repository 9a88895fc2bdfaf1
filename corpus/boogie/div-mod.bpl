// Division rounds so that the remainder is not negative, so no number of seconds makes both parts
// negative; and neither part can make up for the other. No single assignment is to blame.

procedure main()
{
  var seconds, minutes, rest: int;

  seconds := -61;
  minutes := seconds div 60;
  rest := seconds mod 60;
  assert minutes == -1 && rest == -1; //~ failure: assertion
}

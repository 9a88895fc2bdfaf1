procedure main(points: int)
{
  var grade: int;

  if (points >= 90) {
    grade := 1;
  } else if (points >= 50) {
    grade := 2;
  } else if (points >= 0) {
    grade := 4; //~ fault
    //~^ relevance: enforcing
  } else {
    grade := 0;
  }
  assert grade <= 3; //~ failure: assertion
}

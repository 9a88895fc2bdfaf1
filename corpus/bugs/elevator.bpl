// On the way down the elevator does not stop at the ground floor.

procedure main()
{
  var floor, target: int;
  var moving: bool;

  floor := 2; //~ relevance: enforcing
  target := 0; //~ relevance: enforcing
  moving := true; //~ relevance: enforcing false
  while (moving) {
    if (floor < target) {
      floor := floor + 1;
    } else if (floor >= target) { //~ fault
      floor := floor - 1; //~ relevance: enforcing
    } else {
      moving := false;
    }
    assert floor >= 0; //~ failure: assertion
  }
}

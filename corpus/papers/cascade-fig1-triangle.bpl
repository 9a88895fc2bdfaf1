// Paper 5, figure 1: the area of a triangle, with the sides in descending order. The test for a right angle
// is turned round, so that 6 5 4 is computed as if it had one. Integers have no root: what is computed is
// 16 times the square of the area.

const unique NONE, ORDINARY, TWO_EQUAL, ALL_EQUAL, RIGHT_ANGLED: int;

procedure main()
{
  var longest, middle, shortest, shape, perimeter, area: int;

  longest, middle, shortest := 6, 5, 4; //~ relevance: enforcing, enforcing, enforcing
  if (longest >= middle && middle >= shortest) {
    shape := ORDINARY; //~ relevance: irrelevant
    if (longest == middle || middle == shortest) {
      shape := TWO_EQUAL;
    }
    if (longest * longest != middle * middle + shortest * shortest) { //~ fault
      shape := RIGHT_ANGLED; //~ relevance: enforcing
    }
    if (longest == middle && middle == shortest) {
      shape := ALL_EQUAL;
    }
    if (shape == RIGHT_ANGLED) {
      area := 4 * middle * middle * shortest * shortest; //~ relevance: enforcing 1575
    } else if (shape == ALL_EQUAL) {
      area := 3 * longest * longest * longest * longest;
    } else {
      perimeter := longest + middle + shortest;
      area := perimeter * (perimeter - 2 * longest) * (perimeter - 2 * middle) * (perimeter - 2 * shortest);
    }
  } else {
    shape := NONE;
    area := 0;
  }
  assert area == 1575; //~ failure: assertion
}

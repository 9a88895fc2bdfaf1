// Paper 5, figure 1: the area of a triangle, with the sides in descending order. The test for a right angle
// is turned round, so that 6 5 4 is computed as if it had one. Areas are rounded down: it is 9, not 10.

const unique NONE, ORDINARY, TWO_EQUAL, ALL_EQUAL, RIGHT_ANGLED: int;

// The largest number whose square is not larger.
procedure root(square: int) returns (number: int)
{
  number := 0;
  while ((number + 1) * (number + 1) <= square) {
    number := number + 1;
  }
}

procedure main()
{
  var longest, middle, shortest, shape, perimeter, area: int;

  longest, middle, shortest := 6, 5, 4; //~ relevance: enforcing, enforcing, enforcing //~ cascade: 0
  if (longest >= middle && middle >= shortest) { //~ critical: 2
    shape := ORDINARY; //~ relevance: irrelevant
    if (longest == middle || middle == shortest) {
      shape := TWO_EQUAL;
    }
    if (longest * longest != middle * middle + shortest * shortest) { //~ fault //~ critical: 2
      shape := RIGHT_ANGLED; //~ relevance: enforcing //~ cascade: 1
    }
    if (longest == middle && middle == shortest) { //~ critical: 2
      shape := ALL_EQUAL;
    }
    if (shape == RIGHT_ANGLED) { //~ critical: 1
      area := middle * shortest div 2; //~ relevance: enforcing 9 //~ cascade: 0
    } else if (shape == ALL_EQUAL) {
      call area := root(3 * longest * longest * longest * longest div 16);
    } else {
      perimeter := longest + middle + shortest;
      call area := root(perimeter * (perimeter - 2 * longest) * (perimeter - 2 * middle)
        * (perimeter - 2 * shortest) div 16);
    }
  } else {
    shape := NONE;
    area := 0;
  }
  assert area == 9; //~ failure: assertion
}

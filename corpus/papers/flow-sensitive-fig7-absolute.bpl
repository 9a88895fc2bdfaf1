//@ error-invariants: number <= -1
//@ insensitive-invariants: true
// Paper 4, Fig. 7: the distance from zero. Its value is assigned to the wrong variable.

procedure main(number: int) returns (far: int)
{
  var side: int;

  far := number; //~ relevance: enforcing //~ error-invariants: number <= -1 && far <= -1 //~ insensitive-invariants: far <= -1
  if (number == 0) {
    far := 0;
    return;
  }
  if (number < 0) {
    side := -1; //~ relevance: enforcing //~ error-invariants: far <= -1 && side == -1
  } else {
    side := 1;
  }
  if (side == -1) { //~ error-invariants: frame far; far <= -1
    side := number * -1;
  } else {
    far := number;
  }
  assert far >= 0; //~ failure: assertion
}

//@ --max-traces 5
//@ traces 2
// Each trace can be repaired by another start, but no start repairs both.

procedure main(up: bool)
{
  var x: int;

  x := 0; //~ relevance: enforcing 1
  //~^ program: relevant, no single value
  if (up) {
    assert x == 1; //~ failure: assertion
  } else {
    assert x == 2;
  }
}

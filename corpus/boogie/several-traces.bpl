//@ --max-traces 3
//@ traces 3
// Three ways to go wrong, and one start that avoids them all.

procedure main(choice: int)
{
  var x: int;

  x := 0; //~ relevance: enforcing 1
  //~^ program: relevant, repaired by 1
  if (choice == 1) {
    assert x == 1; //~ failure: assertion
  } else if (choice == 2) {
    assert x > 0;
  } else {
    assert x != 0;
  }
}

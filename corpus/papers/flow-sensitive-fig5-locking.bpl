//@ error-invariants: device == 0 && command == -1
//@ insensitive-invariants: true
// Paper 4, Fig. 5: a lock is kept if no case applies. The last case should be for all the rest.

var locked: int;

procedure main(device: int, command: int)
  modifies locked;
{
  var result: int;

  result := 0;
  locked := 1; //~ relevance: enforcing //~ error-invariants: device == 0 && command == -1 && locked == 1 //~ insensitive-invariants: locked == 1
  if (device == 0) {
    if (command == 0) {
      result := 1;
    }
  }
  if (command != 0) {
    result := command; //~ relevance: enforcing //~ error-invariants: device == 0 && locked == 1 && result == -1
  }
  if (device != 0) {
    result := 2;
    locked := 0;
  } else if (result > 0) { //~ error-invariants: frame locked; locked == 1
    result := 3;
    locked := 0;
  }
  assert locked == 0; //~ failure: assertion
}

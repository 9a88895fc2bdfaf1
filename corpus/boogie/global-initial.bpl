// The initial value of a global is an input.

var level: int;
var capacity: int;

procedure main()
  requires level >= 0 && capacity == 10;
  modifies level;
{
  level := level + 4; //~ relevance: enforcing
  assert level <= capacity; //~ failure: assertion
}

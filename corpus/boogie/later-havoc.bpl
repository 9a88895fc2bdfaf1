// For any floor there is a level far above it: the floor is not to blame.

procedure main()
{
  var floor, level: int;

  floor := 1;
  havoc level; //~ relevance: admitting
  assume level > floor;
  assert level < floor + 5; //~ failure: assertion
}

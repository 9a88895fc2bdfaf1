// Either value alone is wrong already: repairing one of them is not enough.

procedure main()
{
  var left, right: int;

  left := -1;
  right := -1;
  assert left >= 0 && right >= 0; //~ failure: assertion
}

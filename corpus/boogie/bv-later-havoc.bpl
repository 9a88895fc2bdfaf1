// Only the largest value of two bits leaves no room for a larger one.

function {:bvbuiltin "bvugt"} above(a: bv2, b: bv2) returns (bool);

procedure main()
{
  var floor, level: bv2;

  floor := 1bv2; //~ relevance: enforcing 3bv2
  havoc level; //~ relevance: admitting
  assume above(level, floor);
  assert false; //~ failure: assertion
}

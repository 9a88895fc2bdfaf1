// Shifting by the whole width leaves nothing.

function {:bvbuiltin "bvshl"} shl(a: bv7, b: bv7) returns (bv7);

procedure main()
{
  var place, mask: bv7;

  place := 7bv7; //~ relevance: enforcing 0bv7
  mask := shl(1bv7, place); //~ relevance: enforcing 1bv7
  assert mask != 0bv7; //~ failure: assertion
}

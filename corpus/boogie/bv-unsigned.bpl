// The same bits are small when signed and large when not.

function {:bvbuiltin "bvult"} ult(a: bv9, b: bv9) returns (bool);
function {:bvbuiltin "bvslt"} slt(a: bv9, b: bv9) returns (bool);

procedure main()
{
  var offset: bv9;

  offset := 511bv9; //~ relevance: enforcing
  assert slt(offset, 10bv9);
  assert ult(offset, 10bv9); //~ failure: assertion
}

// With three bits the opposite of -4 is -4.

function {:bvbuiltin "bvneg"} neg(a: bv3) returns (bv3);
function {:bvbuiltin "bvslt"} slt(a: bv3, b: bv3) returns (bool);
function {:bvbuiltin "bvsge"} sge(a: bv3, b: bv3) returns (bool);

procedure main()
{
  var delta: bv3;

  delta := 4bv3; //~ relevance: enforcing
  if (slt(delta, 0bv3)) {
    delta := neg(delta); //~ relevance: enforcing 0bv3
  }
  assert sge(delta, 0bv3); //~ failure: assertion
}

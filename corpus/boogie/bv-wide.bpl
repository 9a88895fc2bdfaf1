// Bits far beyond a machine word.

function {:bvbuiltin "bvadd"} add(a: bv127, b: bv127) returns (bv127);

procedure main()
{
  var a: bv127;

  a := 170141183460469231731687303715884105727bv127;
  //~^ relevance: enforcing 0bv127
  a := add(a, 1bv127); //~ relevance: enforcing
  assert a != 0bv127; //~ failure: assertion
}

function {:bvbuiltin "sign_extend 3"} widen(a: bv3) returns (bv6);
function {:bvbuiltin "zero_extend 3"} pad(a: bv3) returns (bv6);

procedure main()
{
  var small: bv3;
  var signed, plain: bv6;

  small := 6bv3; //~ relevance: enforcing 0bv3
  signed := widen(small); //~ relevance: enforcing 6bv6
  plain := pad(small); //~ relevance: enforcing 62bv6
  assert signed == plain; //~ failure: assertion
}

// With five bits, 31 + 1 is 0. No value of `next` is larger than 31, so `next` is not to blame.

function {:bvbuiltin "bvadd"} add(a: bv5, b: bv5) returns (bv5);
function {:bvbuiltin "bvult"} less(a: bv5, b: bv5) returns (bool);

procedure main()
{
  var count, next: bv5;

  count := 30bv5; //~ relevance: enforcing
  count := add(count, 1bv5); //~ relevance: enforcing
  next := add(count, 1bv5);
  assert less(count, next); //~ failure: assertion
}

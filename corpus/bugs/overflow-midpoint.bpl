// The sum of two indices does not fit into eight bits.

function {:bvbuiltin "bvadd"} add(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvudiv"} divide(a: bv8, b: bv8) returns (bv8);
function {:bvbuiltin "bvule"} le(a: bv8, b: bv8) returns (bool);

procedure main(low: bv8, high: bv8)
  requires le(low, high);
{
  var sum, middle: bv8;

  sum := add(low, high); //~ fault
  //~^ relevance: enforcing
  middle := divide(sum, 2bv8); //~ relevance: enforcing
  assert le(low, middle) && le(middle, high); //~ failure: assertion
}

// The counter must stop at seven, but the test comes too late.

function {:bvbuiltin "bvadd"} add(a: bv3, b: bv3) returns (bv3);
function {:bvbuiltin "bvuge"} not_below(a: bv3, b: bv3) returns (bool);

procedure main()
{
  var count, before: bv3;
  var pulses: int;

  count := 5bv3; //~ relevance: enforcing
  pulses := 0; //~ relevance: enforcing
  while (pulses < 4) {
    before := count; //~ relevance: enforcing
    count := add(count, 1bv3); //~ fault
    //~^ relevance: enforcing
    assert not_below(count, before); //~ failure: assertion
    pulses := pulses + 1; //~ relevance: enforcing
  }
}

// Counts how often a number can be halved before it is odd.
//
// What is wrong: the count starts at 1 instead of 0.
// Try: whydunit examples/counter.bpl

procedure halvings(number: int) returns (count: int)
  requires number > 0;
{
  var n: int;

  n := number;
  count := 1;
  while (n mod 2 == 0) {
    n := n div 2;
    count := count + 1;
  }
}

procedure main()
{
  var count: int;

  call count := halvings(12);
  assert count == 2;
}

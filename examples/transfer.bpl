// Moves money between two accounts, on two different ways.
//
// What is wrong: the fee is negative, so both ways make money from nothing.
// Try: whydunit examples/transfer.bpl --max-traces 2
// It finds one failure for each way, and the one value that prevents both.

var mine, yours: int;

procedure main(amount: int, express: bool)
  requires amount > 0;
  modifies mine, yours;
{
  var fee: int;

  mine := 1000;
  yours := 0;
  fee := -2;
  mine := mine - amount;
  if (express) {
    yours := yours + amount - 2 * fee;
  } else {
    yours := yours + amount - fee;
  }
  assert mine + yours <= 1000;
}

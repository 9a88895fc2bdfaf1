// The smaller number is subtracted from itself.

procedure gcd(x: int, y: int) returns (d: int)
  requires x > 0 && y > 0;
  ensures x mod d == 0 && y mod d == 0; //~ failure: postcondition
{
  var a, b: int;

  a, b := x, y; //~ relevance: enforcing, enforcing
  while (a != b) {
    if (a > b) {
      a := a - b;
    } else {
      b := a; //~ fault
      //~^ relevance: enforcing
    }
  }
  d := a; //~ relevance: enforcing
}

procedure main()
{
  var d: int;

  call d := gcd(4, 6); //~ relevance: enforcing, enforcing
}

function rounds(): int { 200 }

// The course of the loop depends on what it computes.
procedure main()
{
  var a, b, c, d, i: int;

  a := 1; b := 2; c := 3; d := 4;
  i := 0;
  while (i < rounds())
  {
    if (a > b)
    {
      a := a - b;
      c := c + 1;
    }
    else
    {
      b := b - a;
      d := d + 1;
      a := a + 3;
    }
    b := b + 2;
    i := i + 1;
  }
  assert c + d < rounds();
}

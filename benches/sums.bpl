function rounds(): int { 200 }

// Ten assignments in each round, over ten integers.
procedure main()
{
  var a, b, c, d, e, f, g, h, i, j: int;

  a := 1; b := 2; c := 3; d := 4; e := 5; f := 6; g := 7; h := 8; j := 10;
  i := 0;
  while (i < rounds())
  {
    a := a + b;
    b := b + c;
    c := c + d;
    d := d + e;
    e := e + f;
    f := f + g;
    g := g + h;
    h := h + a;
    i := i + 1;
    j := j + i;
  }
  assert a + j < 0;
}

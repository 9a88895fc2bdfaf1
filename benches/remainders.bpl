function rounds(): int { 200 }

// Products and remainders: no linear normal form helps.
procedure main()
{
  var a, b, c, d, i: int;

  a := 1; b := 2; c := 3; d := 4;
  i := 0;
  while (i < rounds())
  {
    a := (a * 7 + b) mod 101;
    b := (b * a + 3) mod 97;
    c := c + a mod 3;
    d := d + (if b > 50 then 1 else 0);
    i := i + 1;
  }
  assert c + d < 0;
}

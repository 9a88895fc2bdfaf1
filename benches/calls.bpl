function rounds(): int { 200 }

procedure step(x: int, y: int) returns (r: int)
{
  r := x + y;
  if (r > 100) { r := r - 100; }
}

// Two calls in each round.
procedure main()
{
  var a, b, i: int;

  a := 1; b := 2;
  i := 0;
  while (i < rounds())
  {
    call a := step(a, b);
    call b := step(b, 3);
    i := i + 1;
  }
  assert a + b < 0;
}

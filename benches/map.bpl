function rounds(): int { 200 }

// A map is filled, then read.
procedure main()
{
  var m: [int]int;
  var sum, i: int;

  i := 0;
  while (i < rounds())
  {
    m[i] := i * i;
    i := i + 1;
  }
  sum := 0;
  i := 0;
  while (i < rounds())
  {
    sum := sum + m[i];
    i := i + 1;
  }
  assert sum < 0;
}

function rounds(): int { 200 }

// A value from outside in each round.
procedure main()
{
  var sum, next, largest, i: int;

  sum := 0; largest := 0;
  i := 0;
  while (i < rounds())
  {
    havoc next;
    assume 0 <= next && next < 10;
    sum := sum + next;
    if (next > largest) { largest := next; }
    i := i + 1;
  }
  assert sum < 2 * rounds();
}

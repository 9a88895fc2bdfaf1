procedure divide(n: int, d: int) returns (q: int, r: int)
  requires d > 0;
{
  q := 0;
  r := n; //~ relevance: enforcing
  while (r > d) { //~ fault
    r := r - d; //~ relevance: enforcing
    q := q + 1;
  }
}

procedure main()
{
  var q, r: int;

  call q, r := divide(6, 3); //~ relevance: enforcing, enforcing, enforcing
  assert r < 3; //~ failure: assertion
}

// The first element is forgotten when all are negative.

procedure maximum(a: [int]int, n: int) returns (m: int)
{
  var i: int;

  m := 0; //~ fault
  //~^ relevance: enforcing -2
  i := 0; //~ relevance: enforcing
  while (i < n) {
    if (a[i] > m) {
      m := a[i];
    }
    i := i + 1; //~ relevance: enforcing
  }
}

procedure main()
{
  var a: [int]int;
  var m: int;

  a[0] := -5; //~ relevance: enforcing
  a[1] := -2; //~ relevance: enforcing
  a[2] := -9; //~ relevance: enforcing
  call m := maximum(a, 3); //~ relevance: enforcing, enforcing, enforcing -2
  assert m == -2; //~ failure: assertion
}

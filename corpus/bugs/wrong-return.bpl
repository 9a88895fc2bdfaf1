procedure find(a: [int]int, n: int, key: int) returns (at: int)
{
  at := 0; //~ relevance: enforcing
  while (at < n) {
    if (a[at] == key) {
      return;
    }
    at := at + 1; //~ relevance: enforcing
  }
  at := 0; //~ fault
  //~^ relevance: enforcing -1
}

procedure main()
{
  var a: [int]int;
  var at: int;

  a[0] := 4; //~ relevance: enforcing
  a[1] := 9; //~ relevance: enforcing
  call at := find(a, 2, 7); //~ relevance: enforcing, enforcing, enforcing, enforcing -1
  assert at < 0 || a[at] == 7; //~ failure: assertion
}

// The last element is never added.

procedure main()
{
  var a: [int]int;
  var i, sum: int;

  a[0] := 1; //~ relevance: enforcing 4
  a[1] := 2; //~ relevance: enforcing 5
  a[2] := 3;
  sum := 0; //~ relevance: enforcing 3
  i := 0; //~ relevance: enforcing
  while (i < 2) { //~ fault
    sum := sum + a[i]; //~ relevance: enforcing
    i := i + 1; //~ relevance: enforcing
  }
  assert sum == 6; //~ failure: assertion
}

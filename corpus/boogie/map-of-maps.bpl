// Maps can be indices, too: they are equal if they agree everywhere. The last assignment is undone.

procedure main()
{
  var m: [int]int;
  var known: [[int]int]bool;

  m[0] := 1; //~ relevance: enforcing
  known[m] := true; //~ relevance: enforcing false
  m[0] := 2;
  assert !known[m[0 := 1]]; //~ failure: assertion
}

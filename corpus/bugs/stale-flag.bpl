// The flag of the first search is still up during the second.

procedure main()
{
  var names: [int]int;
  var i, hits: int;
  var seen: bool;

  names[0] := 4; //~ relevance: enforcing
  names[1] := 8; //~ relevance: enforcing
  hits := 0; //~ relevance: enforcing
  seen := false;
  i := 0; //~ relevance: enforcing
  while (i < 2) { //~ fault
    if (names[i] == 4) {
      seen := true; //~ relevance: enforcing false
    }
    if (seen) {
      hits := hits + 1; //~ relevance: enforcing
    }
    i := i + 1; //~ relevance: enforcing
  }
  assert hits == 1; //~ failure: assertion
}

// The search gives up when one candidate is left.

procedure search(a: [int]int, length: int, wanted: int) returns (found: int)
{
  var low, high, middle: int;

  found := -1; //~ relevance: enforcing
  low := 0; //~ relevance: enforcing
  high := length - 1; //~ relevance: enforcing
  while (low < high) { //~ fault
    middle := (low + high) div 2; //~ relevance: enforcing
    if (a[middle] == wanted) {
      found := middle;
      return;
    }
    if (a[middle] < wanted) {
      low := middle + 1; //~ relevance: enforcing
    } else {
      high := middle - 1;
    }
  }
}

procedure main()
{
  var a: [int]int;
  var at: int;

  a[0] := 2;
  a[1] := 3; //~ relevance: enforcing
  a[2] := 5;
  call at := search(a, 3, 5); //~ relevance: enforcing, enforcing, enforcing, enforcing
  assert at == 2; //~ failure: assertion
}

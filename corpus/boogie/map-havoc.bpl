procedure main()
{
  var m: [int]int;

  m[0] := 1;
  havoc m; //~ relevance: admitting
  assert m[0] == m[1]; //~ failure: assertion
}

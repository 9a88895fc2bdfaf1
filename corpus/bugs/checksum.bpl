// The checksum is kept below 16 for all values but the last.

procedure checksum(data: [int]int, n: int) returns (sum: int)
  ensures 0 <= sum && sum < 16; //~ failure: postcondition
{
  var i: int;

  sum := 0; //~ relevance: enforcing
  i := 0; //~ relevance: enforcing
  while (i < n) {
    sum := sum mod 16; //~ relevance: enforcing
    sum := sum + data[i]; //~ fault
    //~^ relevance: enforcing
    i := i + 1; //~ relevance: enforcing
  }
}

procedure main()
{
  var data: [int]int;
  var sum: int;

  data[0] := 7; //~ relevance: enforcing
  data[1] := 15; //~ relevance: enforcing
  call sum := checksum(data, 2); //~ relevance: enforcing, enforcing
}

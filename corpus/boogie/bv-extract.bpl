// The halves are joined in the wrong order. One half alone cannot make up for it.

procedure main()
{
  var word: bv12;
  var high, low: bv4;
  var joined: bv8;

  word := 171bv12; //~ relevance: enforcing
  high := word[12:8];
  low := word[4:0];
  joined := low ++ high; //~ fault
  //~^ relevance: enforcing 11bv8
  assert joined == 11bv8; //~ failure: assertion
}

// The second test of the flag repeats the first: both block if the flag is another.

procedure main(wanted: bool)
{
  var flag: bool;
  var x: int;

  flag := wanted; //~ relevance: enforcing false
  x := 5;
  if (flag) {
    x := 0; //~ relevance: enforcing
  }
  if (flag) {
    assert x > 0; //~ failure: assertion
  }
}

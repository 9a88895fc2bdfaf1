// Paper 3, section 3.1, second example. By its Theorem 1 both assignments to the sum are relevant: the
// values that are added were chosen before. (The text of the paper says otherwise.)

procedure main()
{
  var sum, first, second: int;

  sum := sum + first; //~ relevance: enforcing
  sum := sum + second; //~ relevance: enforcing 0
  first := first + second;
  assert sum >= 0; //~ failure: assertion
}

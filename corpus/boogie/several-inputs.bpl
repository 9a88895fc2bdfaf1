//@ error-invariants: length <= -1 && length + border < width
//@ insensitive-invariants: length <= -1
// Three values that nobody has given: the first invariant says what matters about them, which is more than the values that
// were found.

procedure main(width: int, length: int)
{
  var border, inner: int;

  havoc border; //~ relevance: admitting
  inner := width - border; //~ relevance: enforcing //~ error-invariants: length <= -1 && length < inner
  if (length < inner) {
    inner := length; //~ relevance: enforcing //~ error-invariants: inner <= -1 //~ insensitive-invariants: inner <= -1
  }
  assert inner >= 0; //~ failure: assertion
}

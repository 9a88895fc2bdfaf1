// Paper 3, section 2.1, second example: whatever the weight is, the height can still be wrong.

procedure main()
{
  var weight, height: int;

  weight := 7;
  havoc height; //~ relevance: admitting 0
  assert height >= 0 && weight >= 0; //~ failure: assertion
}

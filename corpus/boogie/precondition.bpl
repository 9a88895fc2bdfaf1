// A violated precondition is a failure of the call.

procedure half(n: int) returns (h: int)
  requires n >= 0;
{
  h := n div 2;
}

procedure main()
{
  var size, result: int;

  size := -4; //~ relevance: enforcing 0
  call result := half(size); //~ failure: precondition
}

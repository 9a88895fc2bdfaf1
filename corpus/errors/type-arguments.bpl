//@ exit 2
procedure add(a: int, b: int) returns (sum: int)
{
  sum := a + b;
}

procedure main()
{
  var x: int;

  call x := add(1); //~ error: add
}

//@ exit 2
procedure main()
{
  var x: int;

  x := true; //~ error: bool
}

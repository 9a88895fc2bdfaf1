//@ exit 2
procedure main()
{
  var n: int;

  if (n) { //~ error: bool
    n := 1;
  }
}

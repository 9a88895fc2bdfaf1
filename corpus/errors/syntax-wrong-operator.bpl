//@ exit 2
procedure main()
{
  var x: int;

  x = 1; //~ error: `=` is not an operator of Boogie
}

//@ exit 2
procedure main()
{
  var counter: int;

  countr := 1; //~ error: countr
}

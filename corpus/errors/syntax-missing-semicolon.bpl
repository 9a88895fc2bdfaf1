//@ exit 2
procedure main()
{
  var x: int;

  x := 1
  assert x == 2; //~ error: expected `;` after the assignment, found `assert`
}

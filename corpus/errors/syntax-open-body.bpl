//@ exit 2
procedure main()
{
  assert false;
//~ error: expected `}` to close the body, found the end of the file
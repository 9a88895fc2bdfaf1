//@ exit 2
procedure main()
{
  goto nowhere; //~ error: nowhere
}

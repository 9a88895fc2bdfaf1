//@ exit 2
procedure main()
{
  var a: bv8;
  var b: bv4;

  a := b; //~ error: bv4
}

//@ exit 2
procedure main()
{
  var wide: bv1000; //~ error: bit-vectors of 1000 bits are not supported

  havoc wide;
}

//@ exit 2
const size: int;

procedure main()
{
  size := 4; //~ error: size
}

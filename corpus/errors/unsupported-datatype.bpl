//@ exit 2
datatype List { Nil(), Cons(head: int, tail: List) } //~ error: `datatype` declarations are not supported

procedure main()
{
  assert true;
}

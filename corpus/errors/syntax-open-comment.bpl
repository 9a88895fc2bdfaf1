//@ exit 2
procedure main()
{
  assert true;
}

/* a comment that goes on and on //~ error: this comment is never closed

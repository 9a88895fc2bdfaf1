//@ error-invariants: true
//@ insensitive-invariants: true
// What is assumed inside a branch makes the value of an assignment inside it unimportant; that the branch is taken is not.

procedure main()
{
  var list, done, count: int;

  list := 5; //~ relevance: enforcing //~ error-invariants: list == 5
  if (list != 0) {
    done := list; //~ relevance: enforcing
    assume done == 5; //~ error-invariants: list == 5 && done >= 5 //~ insensitive-invariants: done >= 5
    count := 1;
    assert done <= 4; //~ failure: assertion
  }
}

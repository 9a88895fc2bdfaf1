// The value that helps would fail another check, if it did not lead past it.
procedure main()
{
    var a, c : int;

    a := 3; //~ fault //~ relevance: enforcing 0 //~ changes
    if (a == 3)
    {
        assert a > 2;
        c := 1;
    }
    assert a == 2; //~ failure: assertion
}

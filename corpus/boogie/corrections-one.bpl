// One wrong assignment. The number that it reads is also needed elsewhere.
procedure main()
{
    var n, double, half : int;

    n := 7;
    double := n + n + 1; //~ fault //~ relevance: enforcing 14 //~ changes
    half := n div 2;
    assert double == 14; //~ failure: assertion
    assert half == 3;
}

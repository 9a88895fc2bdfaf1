//@ exit 2
//@ says: there is nothing to run

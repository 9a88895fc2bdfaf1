//! The C library of the front end, compared with that of this machine.

// Package pgload speaks PostgreSQL's protocol for one client of a load: queued messages go out in one write, and the
// calling thread waits in the kernel for the answer, keeping its place among those that run Go (GOMAXPROCS must
// exceed the number of clients). pgx makes the connections.
package pgload

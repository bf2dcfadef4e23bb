// Package pgload speaks PostgreSQL's protocol for one client that makes load: what is queued goes out in one write, and the thread that
// asked waits in the kernel for the answer, holding its place among those that run Go (GOMAXPROCS must be over the number of clients). Connecting is pgx's.
package pgload

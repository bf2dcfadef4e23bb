// Package pgload speaks PostgreSQL's protocol for one client that makes load: what is queued goes out in one write, and the thread that
// asked waits in the kernel for the answer. Connecting is pgx's.
package pgload

// Package pgscript reads and runs the script language of pgbench, as PostgreSQL 15 documents it, up to the SQL: what a
// client sends is said, and sending it is the caller's. Nothing that runs allocates once a client has warmed up.
package pgscript

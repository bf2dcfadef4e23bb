// Package pgscript parses and runs the script language of pgbench, as PostgreSQL 15 documents it, except for the
// SQL: it returns the statements that a client has to send. Running does not allocate once a client has warmed up.
package pgscript

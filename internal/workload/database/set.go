// Package database is what the workloads of a database share: the server of a trial with a clean copy of their data, and what
// watches it.
package database

import "context"

// Set is the data that a workload loads before it is measured.
type Set struct {
	// Name is the workload's, and of the database that holds the data.
	Name string
	// Key is all that the data depend on, such as "scale=20".
	Key string
	// Bytes is about how large the data are on disk; 0: not known.
	Bytes int64
	// Fill makes the tables in an empty database and fills them, with some connections at once. The server that it fills keeps nothing
	// safe until it is done.
	Fill func(ctx context.Context, dsn string, jobs int) error
	// Check says what is wrong with data that Fill has made; nil: there is nothing to be checked.
	Check func(ctx context.Context, dsn string) error
}

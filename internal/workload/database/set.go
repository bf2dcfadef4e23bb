// Package database holds the common part of database workloads: the server of a trial with a clean copy of their
// data, and the watcher that samples it.
package database

import "context"

// Set is the data that a workload loads before the measurement.
type Set struct {
	// Name is the name of the workload, and of the database that holds the data.
	Name string
	// Key is everything that the data depend on, such as "scale=20".
	Key string
	// Bytes is the approximate size of the data on disk; 0: unknown.
	Bytes int64
	// Fill makes the tables in an empty database and fills them over several connections. The server is not
	// crash-safe meanwhile.
	Fill func(ctx context.Context, dsn string, jobs int) error
	// Check returns an error if the data made by Fill are wrong; nil if there is nothing to check.
	Check func(ctx context.Context, dsn string) error
}

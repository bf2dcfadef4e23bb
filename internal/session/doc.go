// Package session is the session file: a pre-registered plan and its trials, as append-only JSON Lines. docs/format.md
// is the specification.
//
// A Writer appends. A trial's line commits the trial, with one fsync, so that every trial whose Trial call returned
// survives a kill -9 or a power failure. Read accepts every valid part of a file, reports the rest, and holds
// everything in memory but the series, which Log.Series reads one trial at a time.
package session

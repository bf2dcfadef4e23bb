// Package session is the session file: a pre-registered plan and its trials,
// as JSON Lines that are only ever appended to. docs/format.md is the
// specification.
//
// A Writer appends; the trial's line commits the trial, with one fsync, so that
// every trial whose Trial call returned survives a kill -9 or a power cut. Read
// accepts whatever of a file is whole, names the rest, and holds in memory all
// but the series, which Log.Series fetches one trial at a time.
package session

// Package session is the session file: a pre-registered plan and its trials, as append-only JSON Lines. docs/format.md
// is the specification.
//
// A Writer appends. A trial's line commits the trial, with one fsync, so that every trial whose Trial call returned
// survives a kill -9 or a power failure. Read accepts every valid part of a file, reports the rest, and holds
// everything in memory but the series, which Log.Series reads one trial at a time.
//
//   - Runs are parsed in batches on several CPUs (session/ahead.go) and read in order. Runs of a cell share one map
//     of keys, and slices of one sorted array form cells and sides (finding.GroupBy, trialset.CurvesBy).
//     Copy a run before you change it. No analysis scans all runs per cell.
//   - The run line commits and has at most 8 KiB. Series without their run are ignored, a torn last line is cut on
//     resume, and a bad line is reported and skipped.
//   - A writer compares its descriptor with the file's name before and after each run. Bytes that others append
//     stay. A file that was removed, replaced, cut or overwritten ends the run with the number of safe runs.
package session

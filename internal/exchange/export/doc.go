// Package export writes sessions for other programs: tables, benchmark lines, metrics. No secret that is written out in
// a session leaves it this way.
package export

// Package judge turns trials into findings about cells (Analyze) and about two sides (CompareIn). It is pure: it reads
// no clock, opens no file and starts no process, so that a session's findings can be reproduced from its file, byte for
// byte.
//
// The terms of a verdict are those of docs/method.md#verdicts. A failed trial never enters an estimate; a disturbed one
// always does, with a note.
package judge

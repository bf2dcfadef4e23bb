// Package judge turns trials into findings: what one side's trials say (Show),
// how two sides differ (Compare), and which measurements cannot be trusted
// (TrustIn, taints). What takes more than trials is added to a Shown by its Add methods, in
// this order: AddSizing, AddBinds, AddWorth, AddExplanations, AddProfiles. It is pure: it reads no clock, opens nothing and starts nothing, so
// that a session's findings can be made again from its file, byte for byte.
//
// The words of a verdict are those of docs/method.md. A trial that is void never
// enters an estimate; a trial that was disturbed always does, and says so.
package judge

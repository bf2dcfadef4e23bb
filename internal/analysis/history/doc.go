// Package history follows cells over many sessions, called nights: each against its own control or the nights before
// it, the nights at which the machine changed, and suspected changes of level. It reads nothing.
package history

// Format is the version of the document of `history --json`. Within a version keys may be added; none is renamed or
// removed.
const Format = 1

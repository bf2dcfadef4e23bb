// Package explore decides what the explorer of `plimsoll serve` shows: the rows of its table, and the history of a cell
// over sessions. It reads nothing.
package explore

// Format is the version of the documents below /api. Within a version keys may be added; none is renamed or removed.
const Format = 1

package convert

import (
	"io"

	"plimsoll/internal/session"
)

// Output is one form in which trials can be given to other programs.
type Output struct {
	Name string
	Doc  string // what it is, in a few words
	Flat bool   // it has no word for a session: whoever reads it takes all trials of a machine together

	// Write writes the trials of a log. left counts those that the form has no
	// place for, which are void or do not count.
	Write func(w io.Writer, log *session.Log) (left int, err error)
}

// Outputs lists the forms that trials can be exported in.
func Outputs() []Output {
	return []Output{
		{csvName, "what import --format csv reads: the values of all valid trials that count in estimates", true, writeCSV},
		{JSON, "one document: machines, plans and all trials, without series", false, writeJSON},
	}
}

package convert

import (
	"encoding/json"
	"io"

	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// Output is a format in which trials can be exported.
type Output struct {
	Name string
	Doc  string // short description
	Flat bool   // it cannot represent sessions: readers combine all trials of a machine

	// Write writes the trials of a log. left counts those that the format cannot represent, which are void or do not
	// count.
	Write func(w io.Writer, log *session.Log) (left int, err error)
}

// Outputs returns the formats in which trials can be exported.
func Outputs() []Output {
	return []Output{
		{csvName, "the format of import --format csv: values of all valid runs that count in estimates", true, writeCSV},
		{JSON, "one document: machines, plans and all runs, without series", false, writeJSON},
	}
}

// document is the output of export --format json.
type document struct {
	Machines []record.Machine  `json:"machines"`
	Plans    []record.PlanLine `json:"plans"`
	Trials   []record.Trial    `json:"trials"`
}

func writeJSON(w io.Writer, log *session.Log) (left int, err error) {
	d := document{Machines: log.Machines, Plans: log.Plans, Trials: log.Trials}
	if d.Machines == nil {
		d.Machines = []record.Machine{}
	}
	if d.Plans == nil {
		d.Plans = []record.PlanLine{}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return 0, enc.Encode(d)
}

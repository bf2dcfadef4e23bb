package convert

import (
	"encoding/json"
	"io"

	"plimsoll/internal/record"
	"plimsoll/internal/session"
)

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

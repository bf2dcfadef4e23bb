package loadline

import (
	"plimsoll/internal/note"
)

// Need is the fleet that a demand needs of one machine's kind. Where Machines is nil, Why says why there is none.
type Need struct {
	Demand   float64 `json:"demand"`
	Unit     string  `json:"unit"`
	Headroom float64 `json:"headroom"`
	Failures int     `json:"failures"`

	Line       *float64 `json:"line"`        // the lower end of the load line's interval, on which all rests
	Machines   *int     `json:"machines"`    // those that may fail among them
	Share      *float64 `json:"share"`       // of Line that each carries
	ShareAfter *float64 `json:"share_after"` // likewise, once the failures have happened
	Alarm      *float64 `json:"alarm"`       // share above which the failures would leave less than the headroom
	AlarmCPU   *float64 `json:"alarm_cpu"`   // % at that share, interpolated between probes

	PerHour     *float64  `json:"usd_per_hour"`  // of all machines; nil where no price is known
	PerMonth    *float64  `json:"usd_per_month"` // of HoursPerMonth
	PriceSource string    `json:"price_source,omitempty"`
	Why         note.Note `json:"why,omitzero"`
}

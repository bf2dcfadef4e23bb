package loadline

import (
	"plimsoll/internal/note"
)

// Need is the fleet that meets a demand with machines of one kind. If Machines is nil, Why holds the reason.
type Need struct {
	Demand   float64 `json:"demand"`
	Unit     string  `json:"unit"`
	Headroom float64 `json:"headroom"`
	Failures int     `json:"failures"`

	Line       *float64 `json:"line"`        // the lower end of the load line's interval, on which all figures rest
	Machines   *int     `json:"machines"`    // including those that may fail
	Share      *float64 `json:"share"`       // of Line, carried by each
	ShareAfter *float64 `json:"share_after"` // likewise, after the failures
	Alarm      *float64 `json:"alarm"`       // share above which the failures would leave less than the headroom
	AlarmCPU   *float64 `json:"alarm_cpu"`   // % at that share, interpolated between probes

	PerHour     *float64  `json:"usd_per_hour"`  // of all machines; nil if no price is known
	PerMonth    *float64  `json:"usd_per_month"` // of HoursPerMonth
	PriceSource string    `json:"price_source,omitempty"`
	Why         note.Note `json:"why,omitzero"`
}

package plan

import (
	"strconv"
	"strings"
	"time"

	"plimsoll/internal/base/usage"
)

// Budget limits the price of a session, for which all of its machines are paid from its start to its end. As a flag it
// reads its limit: 12, $12.50.
type Budget struct {
	USD     float64 // 0: no limit
	PerHour float64 // USD, of all machines together; 0 if some price is unknown
}

// Pay adds the price of a machine, in USD per hour. It returns an error if that is unknown and there is a limit.
func (b *Budget) Pay(machine string, perHour float64, known bool) error {
	if !known && b.USD > 0 {
		return usage.Errorf("--budget: the price of %s is unknown\nhint: --price NAME=0.50 states it, in USD per hour",
			machine)
	}
	b.PerHour += perHour
	return nil
}

// Spent returns the price of a time, in USD.
func (b Budget) Spent(d time.Duration) float64 { return b.PerHour * d.Hours() }

// Allows returns a usage error if the warm-up and the measurement of a session alone are over the limit. What comes
// besides is estimated by the machine's speed of the moment, and refuses nothing.
func (b Budget) Allows(least Span) error {
	needed := b.Spent(time.Duration(least.Load * float64(time.Second)))
	if b.USD == 0 || needed <= b.USD {
		return nil
	}
	return usage.Errorf("--budget $%.2f is too little: at $%.6g an hour its warm-up and measurement take at least $%.2f\n"+
		"hint: --dry-run says what takes how long; fewer --replicates, a shorter --for or --quick cost less", b.USD,
		b.PerHour, needed)
}

// maxHours is a time that no session reaches and a time.Duration holds.
const maxHours = 24 * 365 * 10

// Lasts returns how long the money lasts; false if there is no limit.
func (b Budget) Lasts() (time.Duration, bool) {
	hours := b.USD / b.PerHour
	if b.USD == 0 || b.PerHour == 0 || hours > maxHours {
		return 0, false
	}
	return time.Duration(hours * float64(time.Hour)), true
}

// Set reads a flag.
func (b *Budget) Set(text string) error {
	v, err := strconv.ParseFloat(strings.TrimPrefix(text, "$"), 64)
	if err != nil || !(v > 0 && v <= 1e9) {
		return usage.Errorf("%q is no amount of dollars, such as 12.50", text)
	}
	b.USD = v
	return nil
}

// String returns nothing: a flag's default has no text.
func (b *Budget) String() string { return "" }

// Type names the kind of value for help.
func (b *Budget) Type() string { return "USD" }

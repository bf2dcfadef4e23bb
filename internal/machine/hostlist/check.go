package hostlist

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// Checked is a host with what was found there.
type Checked struct {
	Host
	Reached bool   `json:"reached"`
	Cause   string `json:"cause,omitempty"` // why it was not
	Probe
	ClockOffset float64  `json:"clock_offset_s,omitempty"` // of the host's wall clock to this one's
	ClockError  float64  `json:"clock_error_s,omitempty"`  // bound of the offset's error: half of a round trip
	PerHour     *float64 `json:"usd_per_hour,omitempty"`   // nil: unknown
	PriceSource string   `json:"price_source,omitempty"`
	Carried     bool     `json:"carried,omitempty"` // this program is brought there where an equal one is missing
	Problems    []string `json:"problems"`
}

// Document is what `hosts --json` prints.
type Document[H Host | Checked] struct {
	Hosts []H      `json:"hosts"`
	Notes []string `json:"notes,omitempty"`
}

// Usable reports whether an agent can be started on the host.
func (c Checked) Usable() bool { return c.Reached && (c.Plimsoll != "" || c.Carried) }

// maxOffset is how far two wall clocks may be apart: sessions are sorted by start, and certificates have dates, s.
const maxOffset = 1.0

// Judge adds what stands in the way of a measurement, and the type that the firmware states where the list has none.
// version is that of this program, and carry whether it is brought to hosts that lack it.
func (c *Checked) Judge(version string, carry bool) {
	c.Problems = []string{}
	add := func(format string, args ...any) { c.Problems = append(c.Problems, fmt.Sprintf(format, args...)) }
	if !c.Reached {
		return
	}
	c.Type = cmp.Or(c.Type, c.Firmware)
	if c.Firmware != "" && c.Firmware != c.Type {
		add("the list says %s, its firmware %s", c.Type, c.Firmware)
	}
	_, known := record.GoArch(c.Arch)
	c.Carried = carry && known && (c.Plimsoll == "" || c.Version != version)
	switch {
	case c.Carried:
	case c.Plimsoll == "" && carry:
		add("there is no program for it (%s)", cmp.Or(c.Arch, "unknown architecture"))
	case c.Plimsoll == "":
		add("plimsoll is not in the PATH there (%s)", cmp.Or(c.Arch, "unknown architecture"))
	case c.Version != version:
		add("plimsoll %s there, %s here", cmp.Or(c.Version, "of an unknown version"), version)
	}
	if math.Abs(c.ClockOffset) > maxOffset+c.ClockError {
		add("its clock is off by %s", Offset(c.ClockOffset))
	}
	for _, v := range c.Paths {
		switch v.Problem {
		case "missing":
			add("%s is not there", v.Path)
		case "unwritable":
			add("%s cannot be written", v.Path)
		}
	}
}

// Offset returns a difference of clocks in words.
func Offset(s float64) string {
	sign := "+"
	if s < 0 {
		sign, s = "-", -s
	}
	return sign + figure.Quantity(s, "s")
}

// Shared returns sentences about hosts that run on one kernel: they are one machine, whatever they are called.
func Shared(hosts []Checked) []string {
	names := map[string][]string{}
	var boots []string
	for _, h := range hosts {
		if h.Boot == "" {
			continue
		}
		if names[h.Boot] == nil {
			boots = append(boots, h.Boot)
		}
		names[h.Boot] = append(names[h.Boot], h.Name)
	}
	var out []string
	for _, b := range boots {
		if n := names[b]; len(n) > 1 {
			out = append(out, fmt.Sprintf("%s run on one kernel: they are one machine, and no independent ones", several(n)))
		}
	}
	return out
}

// Unusable returns an error that names the hosts on which nothing can be measured; nil if there is none.
func Unusable(hosts []Checked) error {
	bad := slices.DeleteFunc(slices.Clone(hosts), Checked.Usable)
	if len(bad) == 0 {
		return nil
	}
	names := list.Map(bad, func(c Checked) string { return c.Name })
	return fmt.Errorf("on %d of %d hosts nothing can be measured: %s\n"+
		"hint: the table says why; comment their lines out, put plimsoll into their PATH, or --deploy it",
		len(bad), len(hosts), several(names))
}

// mostNamed bounds the hosts that a sentence names.
const mostNamed = 8

func several(names []string) string {
	if n := len(names) - mostNamed; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), n)
	}
	return strings.Join(names, ", ")
}

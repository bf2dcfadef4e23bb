package power

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// byCommand returns the source that a command of the user's is: joules used so far, or watts.
func byCommand(text string) source {
	return source{domain: record.Power{Name: "command", Scope: record.ScopeBoard, Source: record.PowerCommand},
		argv: []string{"sh", "-c", text}}
}

// printed is the output of a program that reads a meter.
type printed struct {
	value uint64 // µJ or µW
	watts bool
}

// parsePrinted reads ipmitool's table, or the only line of another program: a number with J, kJ, Wh, kWh, W, mW or kW.
// Its errors don't repeat the text, which may contain a password.
func parsePrinted(text string) (printed, error) {
	for line := range strings.Lines(text) {
		if _, reading, ok := strings.Cut(line, "Instantaneous power reading:"); ok {
			text = strings.Replace(strings.TrimSpace(reading), "Watts", "W", 1)
			break
		}
	}
	fields := strings.Fields(text)
	if len(fields) == 1 { // "85W"
		at := strings.IndexFunc(fields[0], func(r rune) bool { return r > '9' })
		if at > 0 {
			fields = []string{fields[0][:at], fields[0][at:]}
		}
	}
	if len(fields) != 2 {
		return printed{}, errors.New("its output is not one number with a unit")
	}
	n, err := strconv.ParseFloat(fields[0], 64)
	at := slices.IndexFunc(units(), func(u unit) bool { return u.name == fields[1] })
	switch {
	case err != nil || math.IsNaN(n) || n < 0:
		return printed{}, errors.New("its output has no number of 0 or more")
	case at < 0:
		return printed{}, errors.New("its output has no unit of energy or power")
	}
	u := units()[at]
	if n *= u.micro; n > most {
		return printed{}, errors.New("the number is too large")
	}
	return printed{value: uint64(n), watts: u.watts}, nil
}

// most is the largest reading in millionths: 10^12 J, far from the end of 64 bits.
const most = 1e18

type unit struct {
	name  string
	micro float64 // millionths of J or W
	watts bool
}

func units() []unit {
	return []unit{{"J", 1e6, false}, {"kJ", 1e9, false}, {"Wh", 3600e6, false}, {"kWh", 3600e9, false},
		{"W", 1e6, true}, {"mW", 1e3, true}, {"kW", 1e9, true}}
}

package database

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// inForce is a setting as a server has it.
type inForce struct {
	shown   string // as SHOW prints it
	base    string // in the unit
	unit    string // such as "8kB" or "ms"; "": none
	kind    string // bool, integer, real, enum or string
	context string // who may change it, and whether that takes a restart
	pending bool   // a changed value waits for a restart
}

const askInForce = `select lower(name), current_setting(name), setting, coalesce(unit, ''), vartype, context, ` +
	`pending_restart
	from pg_settings where lower(name) = any ($1)`

// settingsOf returns those of the named settings that the server has and the role may see.
func settingsOf(ctx context.Context, c *pgx.Conn, names []string) (map[string]inForce, error) {
	rows, err := c.Query(ctx, askInForce, names)
	if err != nil {
		return nil, fmt.Errorf("read the server's settings: %w", err)
	}
	out := map[string]inForce{}
	var name string
	var s inForce
	_, err = pgx.ForEachRow(rows, []any{&name, &s.shown, &s.base, &s.unit, &s.kind, &s.context, &s.pending}, func() error {
		out[name] = s
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the server's settings: %w", err)
	}
	return out, nil
}

// is reports whether a setting has a value, however that is written: 128MB are 131072kB, and on is true.
func (s inForce) is(value string) bool {
	if value == s.shown || value == s.base {
		return true
	}
	switch s.kind {
	case "bool":
		want, ok := truth(value)
		have, _ := truth(s.base)
		return ok && want == have
	case "enum":
		return strings.EqualFold(value, s.base)
	case "integer", "real":
		want, ok := amount(value, s.unit)
		have, err := strconv.ParseFloat(s.base, 64)
		if s.kind == "integer" {
			want = math.RoundToEven(want)
		}
		return ok && err == nil && math.Abs(want-have) <= 1e-6*math.Abs(have)
	}
	return false
}

// truth parses a boolean setting: any unique beginning of true, false, yes and no, or on, off, 1 and 0.
func truth(text string) (value, ok bool) {
	text = strings.ToLower(text)
	begins := func(word string) bool { return text != "" && strings.HasPrefix(word, text) }
	switch {
	case text == "on", text == "1", begins("true"), begins("yes"):
		return true, true
	case text == "0", begins("false"), begins("no"), text == "of", text == "off":
		return false, true
	}
	return false, false
}

// amount parses a number with or without a unit, into a setting's unit; false if it is none.
func amount(text, unit string) (float64, bool) {
	m := regexp.MustCompile(`^\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*([A-Za-z]*)\s*$`).FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil || m[2] == "" {
		return n, err == nil
	}
	from, to := unitOf(m[2]), unitOf(unit)
	return n * from / to, from > 0 && to > 0
}

// unitOf returns the size of a unit in bytes or in microseconds, such as of "8kB"; 0 if it is none.
func unitOf(text string) float64 {
	m := regexp.MustCompile(`^([0-9]*)([A-Za-z]+)$`).FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		n = 1
	}
	return n * map[string]float64{
		"B": 1, "kB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40,
		"us": 1, "ms": 1e3, "s": 1e6, "min": 60e6, "h": 3600e6, "d": 86400e6,
	}[m[2]]
}

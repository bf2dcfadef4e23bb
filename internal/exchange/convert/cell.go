package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// Limits of the lines of a session, in bytes.
const (
	maxTrial  = 4 << 10
	maxPlan   = 7 << 20 // for a plan's cells, which leaves room for the rest
	fixedSize = 700     // for a trial's line without its keys, load and values
)

// cell is shared by trials with the same keys and load.
type cell struct {
	identity string
	keys     map[string]string
	load     record.LoadPoint
	workload string
	group    int
	size     int     // bytes in a trial's line
	metrics  []int32 // of its trials, in the order of the input

	unnumbered int32 // results of the input, which it does not number
	before     int32 // of inputs read before
}

// name returns the cell's name in messages.
func (c cell) name() string {
	return fmt.Sprintf("%s on %s at %s", reader.Brief(c.workload), reader.Brief(c.keys[record.KeyMachine]),
		record.LoadText(c.load.Key()))
}

// cell finds or creates the cell of a result.
func (b *Batch) cell(t record.Trial) (int32, error) {
	id := identity(t)
	if at, ok := b.byKey[id]; ok {
		return at, nil
	}
	// Clone: texts of an input may be parts of a longer one, which must not be kept in memory.
	keys := make(map[string]string, len(t.Keys))
	for name, value := range t.Keys {
		keys[strings.Clone(name)] = strings.Clone(value)
	}
	c := cell{identity: id, keys: keys, load: t.Load, workload: keys[record.KeyWorkload]}
	c.group = b.group(c)
	c.size = fixedSize + jsonLen(c.keys) + jsonLen(c.load)
	if err := checkKeys(c); err != nil {
		return 0, err
	}
	if b.size += jsonLen(c.planned()) + 1; b.size > b.most {
		return 0, fmt.Errorf("%d distinct cells are too many for a session's plan\nhint: import the file in parts, or "+
			"leave out param columns", len(b.cells)+1)
	}
	b.cells = append(b.cells, c)
	b.byKey[id] = int32(len(b.cells) - 1)
	return int32(len(b.cells) - 1), nil
}

// identity returns a text that is unique for the cell of a result.
func identity(t record.Trial) string {
	var id strings.Builder // strconv.AppendQuote would copy all of it for each key
	for _, name := range slices.Sorted(maps.Keys(t.Keys)) {
		id.WriteString(strconv.Quote(name))
		id.WriteString(strconv.Quote(t.Keys[name]))
	}
	return id.String()
}

// group numbers the cells that differ only in their machine: they are the sides of a comparison.
func (b *Batch) group(c cell) int {
	shared := maps.Clone(c.params())
	if shared == nil {
		shared = record.Params{}
	}
	shared["\x00"+c.workload] = c.load.Key()
	id := identity(record.Trial{Keys: shared})
	if _, ok := b.groups[id]; !ok {
		b.groups[id] = len(b.groups)
	}
	return b.groups[id]
}

func (c cell) params() record.Params { return paramsOf(record.Trial{Keys: c.keys}) }

// paramsOf returns a trial's parameters without its workload's name.
func paramsOf(t record.Trial) record.Params {
	out := record.Params{}
	for key, value := range t.Keys {
		if name, ok := strings.CutPrefix(key, t.Keys[record.KeyWorkload]+"."); ok {
			out[name] = value
		}
	}
	return out
}

// planned returns the cell of a plan.
func (c cell) planned() record.Cell {
	return record.Cell{Workload: c.workload, Params: c.params(), Load: c.load, Group: c.group}
}

func checkKeys(c cell) error {
	for _, what := range []string{record.KeyMachine, record.KeyWorkload} {
		if c.keys[what] == "" {
			return fmt.Errorf("a result without a %s\nhint: if the file lacks it, set it with --%s NAME", what, what)
		}
	}
	if slices.Contains([]string{record.EnginePrefix, record.FactorPrefix, record.SecretPrefix}, c.workload+".") {
		return fmt.Errorf("a workload cannot be named %q: the name is reserved in sessions", c.workload)
	}
	for _, key := range slices.Sorted(maps.Keys(c.keys)) {
		if err := checkName(key); err != nil {
			return err
		}
		if err := checkText(c.keys[key], isParam(key, c.workload)); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimPrefix(key, c.workload+"."), err)
		}
	}
	if c.size > maxTrial {
		return fmt.Errorf("the names of a run of %s take %d bytes, over the limit of %d\nhint: shorten them", c.name(),
			c.size, maxTrial)
	}
	return nil
}

func isParam(key, workload string) bool { return strings.HasPrefix(key, workload+".") }

func jsonLen(v any) int {
	text, err := json.Marshal(v)
	if err != nil {
		panic("convert: a cell holds only plain values: " + err.Error())
	}
	return len(text)
}

// checkName rejects a name that could not be printed on a line.
func checkName(name string) error {
	if name == "" {
		return errors.New("an empty name")
	}
	return checkText(name, false)
}

// checkText rejects invalid text. The value of a parameter, which may be a script, may have several lines.
func checkText(text string, lines bool) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is not UTF-8\nhint: iconv -t UTF-8 converts a file", reader.Brief(text))
	}
	bad := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && !(lines && (r == '\n' || r == '\t'))
	})
	if bad >= 0 {
		return fmt.Errorf("%s contains a control character\nhint: names must be printable text", reader.Brief(text))
	}
	return nil
}

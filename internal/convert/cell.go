package convert

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// The room that lines of a session have, in bytes.
const (
	maxTrial  = 4 << 10
	maxPlan   = 7 << 20 // of a plan's cells, which leaves room for the rest
	fixedSize = 700     // of a trial's line apart from its keys, load and values
)

// cell is what trials with the same keys and load share.
type cell struct {
	identity string
	keys     map[string]string
	load     record.LoadPoint
	workload string
	group    int
	size     int     // bytes that it takes of a trial's line
	metrics  []int32 // of its trials, in the order in which the input named them
}

// name is what messages call it.
func (c cell) name() string {
	return fmt.Sprintf("%s on %s at %s", brief(c.workload), brief(c.keys[record.KeyMachine]), record.LoadText(c.load.Key()))
}

// cell finds the cell of a result, or makes it.
func (b *Batch) cell(t record.Trial) (int32, error) {
	id := identity(t)
	if at, ok := b.byKey[id]; ok {
		return at, nil
	}
	// Texts of an input may be parts of a longer one, which must not be kept with them.
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
	if b.size += jsonLen(c.planned()) + 1; b.size > maxPlan {
		return 0, fmt.Errorf("%d different cells are more than a session's plan holds\nhint: import the file in parts, or leave out param columns", len(b.cells)+1)
	}
	b.cells = append(b.cells, c)
	b.byKey[id] = int32(len(b.cells) - 1)
	return int32(len(b.cells) - 1), nil
}

// identity is one text for all that tells a result from those of other cells.
func identity(t record.Trial) string {
	var id []byte
	for _, name := range slices.Sorted(maps.Keys(t.Keys)) {
		id = strconv.AppendQuote(id, name)
		id = strconv.AppendQuote(id, t.Keys[name])
	}
	return string(id)
}

// group numbers what cells of several machines have in common: they are the
// sides of a comparison.
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

// paramsOf are a trial's parameters without its workload's name.
func paramsOf(t record.Trial) record.Params {
	out := record.Params{}
	for key, value := range t.Keys {
		if name, ok := strings.CutPrefix(key, t.Keys[record.KeyWorkload]+"."); ok {
			out[name] = value
		}
	}
	return out
}

// planned is the cell as it stands in a plan.
func (c cell) planned() record.Cell {
	return record.Cell{Workload: c.workload, Params: c.params(), Load: c.load, Group: c.group}
}

func checkKeys(c cell) error {
	for _, what := range []string{record.KeyMachine, record.KeyWorkload} {
		if c.keys[what] == "" {
			return fmt.Errorf("a result without a %s\nhint: --%s NAME says it where the file does not", what, what)
		}
	}
	if slices.Contains([]string{record.EnginePrefix, record.FactorPrefix, record.SecretPrefix}, c.workload+".") {
		return fmt.Errorf("a workload cannot be named %q: in a session that word has another meaning", c.workload)
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
		return fmt.Errorf("a trial of %s takes %d bytes for its names, and its line holds %d\nhint: shorten them", c.name(), c.size, maxTrial)
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

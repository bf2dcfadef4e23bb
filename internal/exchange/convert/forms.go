package convert

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// Forms finds runs that stand in several files, each in another form of their tool: its text, its JSON, a summary.
type Forms struct {
	refused map[*Batch]string // the file that has the runs too, with more figures
	perhaps map[*Batch]string // the file that may have them
}

// form is one file of a tool, and its trials by cell.
type form struct {
	file    string
	tool    string
	batch   *Batch // nil: of the session
	cells   map[string][]record.Trial
	figures int
}

// mostOfForm bounds the trials of a file that is compared: each is kept with its values.
const mostOfForm = 1 << 10

// NewForms compares inputs with each other and with the imports of a session.
func NewForms(batches []*Batch, log *session.Log) Forms {
	out := Forms{map[*Batch]string{}, map[*Batch]string{}}
	all := slices.Concat(formsIn(log), formsOf(batches))
	by, compared := map[string][]int{}, map[[2]int]bool{} // by tool and cell
	for i, f := range all {
		for at := range f.cells {
			at = f.tool + "\n" + at
			for _, other := range by[at] {
				if pair := [2]int{other, i}; !compared[pair] {
					compared[pair] = true
					out.compare(all[other], f)
				}
			}
			by[at] = append(by[at], i)
		}
	}
	return out
}

// formsOf returns the inputs that are the output of tools, without large ones.
func formsOf(batches []*Batch) (all []form) {
	for _, b := range batches {
		if _, ok := toolOf(b.Source.Format); !ok || b.Len() > mostOfForm {
			continue
		}
		f := form{file: b.Source.File, tool: b.Source.Format, batch: b, cells: map[string][]record.Trial{}}
		for t := range b.Trials("") {
			f.add(t)
		}
		all = append(all, f)
	}
	return all
}

// formsIn returns the imports of a session that are the output of tools.
func formsIn(log *session.Log) (all []form) {
	by := map[string]*form{}
	for _, p := range log.Plans {
		if from := p.Plan.Imported; from != nil {
			if _, ok := toolOf(from.Format); ok {
				by[p.Hash] = &form{file: from.File, tool: from.Format, cells: map[string][]record.Trial{}}
			}
		}
	}
	for _, t := range log.Trials {
		if f := by[t.Plan]; f != nil {
			f.add(t)
		}
	}
	for _, f := range by {
		if len(f.cells) > 0 {
			all = append(all, *f)
		}
	}
	slices.SortFunc(all, func(a, b form) int { return strings.Compare(a.file, b.file) })
	return all
}

func (f *form) add(t record.Trial) {
	at := cellIn(t)
	f.cells[at] = append(f.cells[at], t)
	f.figures += len(t.Values)
}

// compare notes which of two files has the runs of the other one. Files of one extension are of one form: their runs
// are the same if all values are.
func (f Forms) compare(a, b form) {
	if b.batch == nil || strings.EqualFold(filepath.Ext(a.file), filepath.Ext(b.file)) {
		return
	}
	if a.batch != nil && a.figures < b.figures {
		a, b = b, a // the one with fewer figures goes
	}
	switch is, may := b.isOf(a); {
	case is:
		f.refused[b.batch] = a.file
	case may:
		f.perhaps[b.batch] = a.file
	}
}

// Take rejects an input whose runs another file has too, and returns a warning if they may be.
func (f Forms) Take(b *Batch) (note string, err error) {
	if file, ok := f.refused[b]; ok {
		return "", usage.Errorf("%s: %s has its runs in another form: all figures agree to the digits that are "+
			"printed\nhint: they would count twice: import one form of each run", b.Source.File, file)
	}
	if file, ok := f.perhaps[b]; ok {
		return fmt.Sprintf("%s: it has the same number of operations and the same latencies as %s: if it is one run in two "+
			"forms, it counts twice", b.Source.File, file), nil
	}
	return "", nil
}

// Figures of two forms are from one run if that many agree, and that many digits of them beyond the second. Two runs
// of a steady system differ by a percent, so that they share each of these digits by a chance of a tenth.
const (
	sureFigures = 3
	sureDigits  = 2
	mostDigits  = 3 // of one figure
)

// isOf reports whether another form has all trials of a form, the nth of a cell as its nth, or may be.
func (f form) isOf(of form) (is, may bool) {
	digits := 0
	is, may = true, true
	for at, trials := range f.cells {
		others := of.cells[at]
		if len(others) < len(trials) {
			return false, false
		}
		for i, t := range trials {
			same := likeness(t, others[i])
			digits += same.digits
			is, may = is && same.all, may && same.latencies
		}
	}
	return is && digits >= sureDigits, may
}

// alike is what two trials have in common.
type alike struct {
	all       bool // figures that both have, and enough of them
	latencies bool // the number of operations, the mean, and an extreme
	digits    int  // of all figures beyond the first two
}

// likeness compares two trials. Percentiles of two forms may be of two definitions: they only need to be close.
func likeness(a, b record.Trial) alike {
	out := alike{all: true, latencies: true}
	counted := a.Generator != nil && b.Generator != nil
	if counted {
		if a.Generator.Done != b.Generator.Done || a.Generator.Errors != b.Generator.Errors {
			return alike{}
		}
		if d, _ := printed(float64(a.Generator.Done)); d > 2 { // a round one was asked for
			out.digits++
		}
	}
	agreed, shared, fine := 0, 0, 0
	for _, v := range a.Values {
		w, ok := b.Value(v.Name)
		if !ok || v.Unit != w.Unit {
			continue
		}
		digits, same := roundedAlike(v.Value, w.Value)
		if same {
			agreed++
		}
		percent, isPercentile := percentileOf(v.Name)
		switch {
		case same && (v.Better != record.Neutral || v.Name != record.Throughput): // that was asked for
			out.digits += min(max(0, digits-2), mostDigits)
		case same:
		case isPercentile && percent > 0 && percent < 100:
			out.all = out.all && math.Abs(v.Value-w.Value) <= 0.1*v.Value
		case v.Name == record.Latency, isPercentile:
			return alike{}
		default:
			out.all = false
		}
		if same && (v.Name == record.Latency || v.Name == reader.LatencyMin || v.Name == reader.LatencyMax) {
			shared++
			fine = max(fine, digits)
		}
	}
	out.all = out.all && agreed >= sureFigures
	out.latencies = counted && shared > 1 && fine > 2
	return out
}

// roundedAlike reports whether one number is the other one with fewer digits, and how many those are. Tools round or
// cut.
func roundedAlike(x, y float64) (digits int, same bool) {
	fewer, step := printed(x)
	more, other := printed(y)
	if fewer > more {
		fewer, more, step = more, fewer, other
	}
	apart := math.Abs(x - y)
	return fewer, apart <= 1e-9*math.Abs(x) || fewer < more && apart < step
}

// maxDigits is how many digits of a number are its own, and not due to the conversion of its unit.
const maxDigits = 12

// printed returns how many digits a number was printed with, and the value of the last one. Amounts may have been
// printed in units of 1024.
func printed(v float64) (digits int, step float64) {
	digits, step = maxDigits+1, 0
	for _, unit := range []float64{1, 1 << 10, 1 << 20, 1 << 30} {
		text := strconv.FormatFloat(math.Abs(v)/unit, 'e', maxDigits-1, 64)
		mantissa, exponent, _ := strings.Cut(text, "e")
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
		power, _ := strconv.Atoi(exponent)
		if n := len(strings.TrimPrefix(strings.Replace(mantissa, ".", "", 1), "0")); n < digits {
			digits, step = n, unit*math.Pow(10, float64(power-n+1))
		}
	}
	return digits, step
}

package note

import (
	"fmt"
	"math"
	"strconv"

	"plimsoll/internal/list"
)

// Kind is one entry of the catalogue. Format and Hint are filled with a note's arguments, in order. Headline names
// those that it takes by their number.
type Kind struct {
	Code     Code
	Headline string // a sentence of at most MostHeadline columns, for a place with one line; without full stop
	Format   string
	Hint     string // the recommended action; "" if there is none
	Of       string // the subject of such notes, in the words of the page
}

// MostHeadline is how many columns a headline takes at most, its figures included.
const MostHeadline = 72

func (k Kind) text(args []any) string {
	format := k.Format
	if k.Hint != "" {
		format += "\nhint: " + k.Hint
	}
	return fmt.Sprintf(format, list.Map(args, inDecimals)...)
}

// Kinds returns the catalogue: every code with its words.
func Kinds() []Kind {
	var out []Kind
	for _, s := range sections() {
		for _, k := range s.kinds() {
			k.Of = s.of
			out = append(out, k)
		}
	}
	return out
}

// section is one section of the catalogue.
type section struct {
	of    string
	kinds func() []Kind
}

func sections() []section {
	return []section{
		{"of how the trials of two sides were paired and counted", ofPairing},
		{"of a verdict, or why there is none", ofVerdicts},
		{"of a load that may not have filled the machines", ofLoad},
		{"of figures per vCPU, core, dollar and watt", ofShares},
		{"of the machines and sessions of a comparison", ofMachines},
		{"of one trial", ofTrials},
		{"of a cell", ofCells},
		{"of a load line", ofLoadLines},
		{"of a disk, and of how it is held back", ofDisks},
		{"of profiles, and of why two sides differ", ofProfiles},
		{"of what factors do", ofFactors},
		{"of what a machine's work costs, and of sizes of a family", ofCosts},
		{"of the same work compared with itself", ofAA},
		{"of what a session holds beside what is estimated", ofSessions},
		{"of how a trial's load was kept, and of what an import states", ofKeptLoad},
		{"of what a report shows or leaves out", ofReports},
		{"that say why there is no figure, no verdict or no line", ofReasons},
		{"that a trial is void for, as its session recorded them", ofVoids},
		{"of how a rate follows a load, the CPUs or a size", ofSweeps},
	}
}

// decimal is a number that %g writes without an exponent as far as people read it: 1200 ms with three digits, where fmt
// has 1.2e+03.
type decimal float64

// inDecimals returns an argument with its numbers as decimals.
func inDecimals(arg any) any {
	switch a := arg.(type) {
	case float64:
		return decimal(a)
	case between:
		return between{inDecimals(a.least), inDecimals(a.most)}
	}
	return arg
}

// Format implements fmt.Formatter.
func (d decimal) Format(f fmt.State, verb rune) {
	v := float64(d)
	const most = 1e9
	if digits, ok := f.Precision(); ok && verb == 'g' {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
		if size := math.Abs(rounded); size >= math.Pow10(digits) && size < most {
			fmt.Fprint(f, strconv.FormatFloat(rounded, 'f', 0, 64))
			return
		}
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), v)
}

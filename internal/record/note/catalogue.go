package note

import (
	"fmt"
	"math"
	"strconv"
	"unicode"
	"unicode/utf8"

	"plimsoll/internal/base/list"
)

// Kind is one entry of the catalogue. Format and Hint are filled with a note's arguments, in order unless a verb names
// one by its number. Headline names those that it takes by their number.
type Kind struct {
	Code     Code
	Gravity  Gravity
	Size     func(args []any) float64 // orders notes of one gravity, the largest first; nil without sizes
	Headline string                   // a sentence of at most mostHeadline columns without full stop, for one line
	Format   string                   // the text, which follows a label; "" if it is the headline
	Hint     string                   // the recommended action; "" without one
	Next     string                   // the step that would settle a result, with numbered arguments; "" without one
	Runs     int                      // the number of the argument that counts the runs of Next; 0 without one
	Of       string                   // the subject of such notes, in the words of the page
}

// Gravity is how much a note can change about the answer to which it belongs.
type Gravity int

// The gravities, the least first.
const (
	Harmless  Gravity = iota // nothing: the answer is the same without it, or its interval includes it
	Imprecise                // how exact the figure is
	Biased                   // the figure itself, by an amount that was not measured
	Decisive                 // whether there is an answer at all
)

// percent returns the size of notes whose argument of this number is a percentage.
func percent(arg int) func(args []any) float64 {
	return func(args []any) float64 {
		v, _ := number(args[arg-1])
		return math.Abs(v) / 100
	}
}

// share returns the size of notes that count some of several.
func share(some, all int) func(args []any) float64 {
	return func(args []any) float64 {
		n, _ := number(args[some-1])
		of, _ := number(args[all-1])
		return n / math.Max(of, 1)
	}
}

// mostHeadline is how many columns a headline takes at most, its figures included.
const mostHeadline = 72

// words returns the format of an entry's text.
func (k Kind) words() string {
	if k.Format == "" {
		return Uncapitalized(k.Headline)
	}
	return k.Format
}

// Uncapitalized returns a sentence as it continues a line, unless its first word is an abbreviation.
func Uncapitalized(text string) string {
	first, n := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[n:]); unicode.IsUpper(second) {
		return text
	}
	return string(unicode.ToLower(first)) + text[n:]
}

func (k Kind) text(args []any) string {
	format := k.words()
	if k.Hint != "" {
		format += "\nhint: " + k.Hint
	}
	return fmt.Sprintf(format, list.Map(args, inDecimals)...)
}

// filled returns a format with arguments, in the singular for a number of 1.
func filled(format string, args []any) string {
	return fmt.Sprintf(singular(format, args), list.Map(args, inDecimals)...)
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
		{"on how runs were paired and counted", ofPairing},
		{"on verdicts, or why one is missing", ofVerdicts},
		{"on loads that may not saturate the machines", ofLoad},
		{"on figures per vCPU, core, dollar and watt", ofShares},
		{"on the machines and sessions of a comparison", ofMachines},
		{"on one run", ofTrials},
		{"on one benchmark", ofCells},
		{"on the max load", ofLoadLines},
		{"on disks and their throttling", ofDisks},
		{"on profiles, and on why two sides differ", ofProfiles},
		{"on the effects of factors", ofFactors},
		{"on costs, and on the sizes of a family", ofCosts},
		{"on A/A tests", ofAA},
		{"on a session as a whole", ofSessions},
		{"on the load generator, and on imported files", ofKeptLoad},
		{"on reports", ofReports},
		{"on missing figures, verdicts and limits", ofReasons},
		{"on failed runs, as their session recorded them", ofVoids},
		{"on scaling with the load, the CPUs or a size", ofSweeps},
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

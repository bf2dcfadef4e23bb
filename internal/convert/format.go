package convert

import (
	"fmt"
	"io"

	"plimsoll/internal/record"
	"plimsoll/internal/usage"
)

// Format is one way in which other tools write results. Adding one is a file
// with its Read, and a line in All.
type Format struct {
	Name string
	Doc  string // what it is, in a few words

	// Read gives the results in r to emit as it comes to them. It need not keep
	// the results of one trial together: those with equal keys, load and
	// replicate become one trial, whose values they share out. The keys are
	// those of newKeys; a replicate may be Unnumbered. What is given to emit
	// may be used again after it. Errors name the place in r.
	Read func(r io.Reader, o Options, emit func(Result) error) error
}

// Result is what an input says of one trial, or a part of that.
type Result struct {
	record.Trial
	Series []record.Series // of the trial, which they do not name yet
}

// All lists the formats that can be imported.
func All() []Format {
	out := []Format{csvFormat(), goFormat()}
	for _, t := range tools() {
		out = append(out, t.format())
	}
	return append(out, hyperfineFormat())
}

// Unnumbered is the replicate of a result that its input does not number: the
// nth one of a cell in an import is replicate n, from 1.
const Unnumbered = -1

// Options says what an input does not say itself. Where the input says it too,
// the two must not contradict.
type Options struct {
	File      string                                      // what errors call the input
	Machine   string                                      // "" not given
	Workload  string                                      // "" not given
	Replicate int                                         // Unnumbered: not given
	Load      record.LoadPoint                            // without a kind: not given
	CPUs      func(machine string) (n float64, of string) // that a machine has, by its name, and the type that this is of; nil, and 0: not known
	Params    record.Params                               // without the workload's name
}

// at is the error for a line of the input; for all of it where line is 0.
func (o Options) at(line int, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if line == 0 {
		return usage.Errorf("%s: %w", o.File, err)
	}
	return usage.Errorf("%s:%d: %w", o.File, line, err)
}

// filled is what a result has of one thing: what its input says, else what an
// option says.
func filled(what, said, given string) (string, error) {
	switch {
	case said == "":
		return given, nil
	case given != "" && given != said:
		return "", fmt.Errorf("%s is %s here, and --%s says %s\nhint: leave out --%s, or mend the file",
			what, brief(said), what, brief(given), what)
	}
	return said, nil
}

// brief quotes a text of the user's, cut to what a message has room for.
func brief(text string) string {
	if len(text) > nameMax {
		return fmt.Sprintf("%q and %d bytes more", text[:nameMax], len(text)-nameMax)
	}
	return fmt.Sprintf("%q", text)
}

// newKeys are a result's identity as it stands in a trial. Facts that belong to it
// without telling cells apart, such as record's "arch", can be added.
func newKeys(format, machine, workload string, params record.Params, load record.LoadPoint) map[string]string {
	keys := map[string]string{
		record.KeyImported: format, record.KeyMachine: machine, record.KeyWorkload: workload, record.KeyLoad: load.Key(),
	}
	for name, value := range params {
		keys[workload+"."+name] = value
	}
	return keys
}

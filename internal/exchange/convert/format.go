package convert

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// Format is a result format of another tool. To add one, write a file with its Read and add it to All.
type Format struct {
	Name string
	Doc  string // short description

	Marks reader.Marks

	// Read passes the results in r to emit as they come. It need not keep the results of one trial together: those with
	// equal keys, load and replicate become one trial with the values of all. The keys are those of newKeys; a
	// replicate may be Unnumbered. Arguments of emit may be reused after the call. Errors state the position in r.
	Read func(r io.Reader, o Options, emit func(Result) error) error
}

// Result is the data of one trial in an input, or part of it.
type Result struct {
	record.Trial
	Series []record.Series // of the trial, whose ID is not set in them yet
	Unread []string        // what its input states and was not read, a sentence each
}

// All returns the formats that can be imported.
func All() []Format {
	out := []Format{csvFormat(), goFormat()}
	for _, t := range tools() {
		out = append(out, formatOf(t))
	}
	return append(out, formatOf(reader.HyperfineTool()))
}

// Unnumbered is the replicate of a result that its input does not number. The nth one of a cell in an import becomes
// replicate n-1, which is run n: record.RunNumber.
const Unnumbered = -1

// Options supplies data missing from an input. If the input has it too, the two must not contradict.
type Options struct {
	File      string           // name of the input in errors
	Name      string           // of the input in the session; "": the last element of File
	Machine   string           // "": not set
	Folder    string           // name of the machine unless Machine or the input has one: that of the folder; "": none
	NoFolder  string           // why a folder's name is none, for messages
	Workload  string           // "": not set
	Replicate int              // Unnumbered: not set
	Load      record.LoadPoint // without a kind: not set
	FillLoad  bool             // Load is for results without one, and contradicts none
	// Returns a machine's vCPUs and instance type by its name; may be nil or return 0 for unknown.
	CPUs   func(machine string) (n float64, of string)
	Params record.Params // without the workload's name

	// IntendedErrors is set if errors that a tool ignored are what its script is meant to do.
	IntendedErrors bool

	unread []string // of the input
	source *string  // set to where the input says that its figures are from; may be nil
	loads  *givenLoads
}

// isTPCC reports whether the user names TPC-C as what ran, by the workload, a parameter, or the file's name.
func (o Options) isTPCC() bool {
	words := []string{o.Workload, o.Name, filepath.Base(o.File)}
	for _, v := range o.Params {
		words = append(words, v)
	}
	return slices.ContainsFunc(words, func(w string) bool {
		w = strings.ToLower(w)
		return strings.Contains(w, "tpcc") || strings.Contains(w, "tpc-c")
	})
}

// at returns the error for a line of the input, or for all of it if line is 0.
func (o Options) at(line int, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if line == 0 {
		return usage.Errorf("%s: %w", o.File, err)
	}
	return usage.Errorf("%s:%d: %w", o.File, line, err)
}

// unnamed returns the error for an input without a machine.
func (o Options) unnamed(subject string) error {
	hint := "set it with --machine NAME"
	if o.NoFolder != "" {
		hint += "; " + o.NoFolder
	}
	return fmt.Errorf("%s\nhint: %s", subject, hint)
}

// Recognise returns the formats that the beginning of a file looks like.
func Recognise(head []byte) []Format {
	var out []Format
	if input.Alien(head) != nil {
		return nil
	}
	head = input.Unmarked(head)
	for _, f := range All() {
		if f.Marks.Match(head) {
			out = append(out, f)
		}
	}
	return out
}

// filled returns said, the value in the input, else given, that of an option.
func filled(what, said, given string) (string, error) {
	switch {
	case said == "":
		return given, nil
	case given != "" && given != said:
		return "", fmt.Errorf("%s is %s here, but %s in --%s\nhint: leave out --%s, or fix the file",
			what, reader.Brief(said), reader.Brief(given), what, what)
	}
	return said, nil
}

// newKeys returns a result's identity as in a trial. Facts that do not distinguish cells, such as record's "arch", can
// be added.
func newKeys(format, machine, workload string, params record.Params, load record.LoadPoint) map[string]string {
	keys := map[string]string{
		record.KeyImported: format, record.KeyMachine: machine, record.KeyWorkload: workload, record.KeyLoad: load.Key(),
	}
	for name, value := range params {
		keys[workload+"."+name] = value
	}
	return keys
}

// Quoted quotes a user's text, shortened for a message.
func Quoted(text string) string { return reader.Brief(text) }

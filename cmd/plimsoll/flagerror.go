package main

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/present/manual"
)

// flagError returns pflag's error as wrong usage, with the flag or value that may have been meant.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		typed := "--" + unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			typed = typed[1:]
		}
		return &usage.Error{Text: "unknown flag " + strconv.Quote(typed), Hint: flagMeant(cmd, unknown.GetSpecifiedName()),
			Cause: err}
	case errors.As(err, &empty):
		return &usage.Error{Text: "--" + empty.GetFlag().Name + " needs a value", Hint: manual.FlagLine(empty.GetFlag()),
			Cause: err}
	case errors.As(err, &invalid):
		return invalidValue(invalid)
	}
	return &usage.Error{Text: err.Error(), Hint: cmd.CommandPath() + " --help", Cause: err}
}

// noEmptyFlag rejects a flag whose value is empty, as a variable has that isn't set: none has a meaning, and
// many would do what no flag does. Parameters of workloads may be empty.
func noEmptyFlag(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.Type() == "string" && f.Value.String() == ""
		if several, ok := f.Value.(pflag.SliceValue); ok {
			empty = slices.Contains(several.GetSlice(), "")
		}
		if empty && err == nil {
			err = &usage.Error{Text: "--" + f.Name + " is empty", Hint: manual.FlagLine(f)}
		}
	})
	return err
}

// flagBenchmark chooses among benchmarks.
const flagBenchmark = "benchmark"

// flagName returns the name of a flag as it is today, with hyphens.
func flagName(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	name = strings.ReplaceAll(name, "_", "-")
	switch name {
	case "carry":
		name = flagCarry
	case "cell":
		name = flagBenchmark
	}
	return pflag.NormalizedName(name)
}

// flagMeant returns what to use for a flag that a command does not have.
func flagMeant(cmd *cobra.Command, name string) string {
	var known, others []string
	for _, m := range flagsMeant() {
		if m.flag != "" && cmd.Flags().Lookup(m.flag) == nil {
			continue
		}
		if slices.Contains(m.names, name) {
			return m.use
		}
		others = append(others, m.names...)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, "--"+f.Name)
		}
	})
	if len(name) == 1 {
		for _, other := range []string{strings.ToLower(name), strings.ToUpper(name)} {
			if f := cmd.Flags().ShorthandLookup(other); f != nil {
				return "did you mean -" + other + ", --" + f.Name + "?"
			}
		}
		return cmd.CommandPath() + " --help"
	}
	if near := nearest.Of("--"+name, known); near != "" {
		return "did you mean " + near + "?"
	}
	if near := nearest.Of(name, others); near != "" {
		return flagMeant(cmd, near)
	}
	return cmd.CommandPath() + " --help"
}

// meantFlag has the names that other tools give a flag of a verb that reads sessions.
type meantFlag struct {
	names []string
	flag  string // of the command, if it has it; "": of any
	use   string
}

func flagsMeant() []meantFlag {
	return []meantFlag{
		{[]string{"threshold", "fail", "fail-on", "max-regression", "tolerance", "delta", "gate"}, "fail-if",
			"--fail-if 'time > 5%' exits with code 4 if it applies"},
		{[]string{"margin", "alpha", "confidence"}, "fail-if",
			"plimsoll run --margin and --alpha set them before the measurement"},
		{[]string{"group-by", "groupby", "factor", "column"}, "by", "--by NAME compares the values of a parameter or label"},
		{[]string{"rps", "qps", "rate"}, "demand", "--demand RATE, such as --demand 50k"},
		{[]string{"cost", "budget", "usd"}, "price", "--price NAME=0.50, in USD per hour"},
		{[]string{"latency", "p99", "sla", "target"}, "slo", "--slo p99=20ms"},
		{[]string{"csv", "benchstat"}, "", "plimsoll export FILE --format csv, or --format benchfmt for benchstat"},
		{[]string{"json"}, "format", "--format json"},
		{[]string{"html", "pdf", "md", "markdown"}, "",
			"plimsoll report FILE -o FILE.html; to print to PDF, use the browser"},
		{[]string{"out", "file", "save", "export"}, "output", "-o FILE"},
		{[]string{"o", "output"}, "json", "--json > FILE.json, or plimsoll report FILE -o FILE.html"},
		{[]string{"listen", "bind", "address", "port", "host"}, "addr",
			"--addr 127.0.0.1:8080 listens there; --addr 0.0.0.0:8080 admits other machines, with the URL's token"},
		{[]string{"instance", "instance-type", "type", "machine-type"}, "price",
			"--price NAME=0.50 is the price of a machine or instance type; plimsoll prices list shows the types"},
		{[]string{"region", "zone", "provider", "cloud", "spot", "reserved"}, "date",
			"the catalogue has on-demand prices of us-east-1; plimsoll prices set TYPE=USD sets your own"},
	}
}

// invalidValue returns the error of a value that a flag does not take.
func invalidValue(err *pflag.InvalidValueError) error {
	f, value := err.GetFlag(), err.GetValue()
	out := &usage.Error{Text: "--" + f.Name + " " + quoted(value) + ": ", Hint: manual.FlagLine(f), Cause: err}
	number, percent := strings.CutSuffix(value, "%")
	n, bad := strconv.ParseFloat(number, 64)
	switch f.Value.Type() {
	case "int", "uint":
		out.Text += "must be a whole number"
		if bad == nil && n == math.Trunc(n) && n > 0 {
			out.Hint = "--" + f.Name + " " + strconv.FormatFloat(n, 'f', -1, 64)
		}
	case "uint64":
		out.Text += "must be a whole number of at least 0"
	case "float64":
		out.Text += "must be a number"
		if percent && bad == nil {
			out.Hint = "--" + f.Name + " " + strconv.FormatFloat(n/100, 'g', -1, 64)
		}
	case "bool":
		out.Text += "must be true or false"
	default:
		text, hint := usage.Parts(err.Unwrap())
		out.Text += text
		if hint != "" {
			out.Hint = hint
		}
	}
	return out
}

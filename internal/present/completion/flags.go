package completion

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/exchange/export"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/run/invocation"
)

// flags returns the functions for flags with known values, by name.
func (k Known) flags(cmd *cobra.Command) map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		"set":          k.assignments(settable, single),
		"vary":         k.assignments(settable, several),
		"sweep":        k.assignments(numeric, several),
		"metric":       k.metrics,
		"claim":        oneOf("machine\tthis box", "type\tthe instance type"),
		"alpha":        oneOf("0.01", "0.05", "0.1"),
		"slo":          percentiles,
		"price":        k.priced,
		"machine":      k.offered,
		"date":         k.dates,
		"format":       oneOf(formats(cmd.Name())...),
		"by":           oneOf(record.KeyMachine, axis.ByFile, trialset.ByType),
		"undecided":    oneOf("fail\texit code 4", "pass"),
		"resume":       withExtension("jsonl"),
		"output":       nil,
		"hosts":        nil,
		"inventory":    nil,
		"path":         nil,
		"binaries":     directories,
		"destroy-data": nil,
	}
}

// formats returns the values of a command's --format.
func formats(verb string) []string {
	switch verb {
	case "import":
		return list.Map(convert.All(), func(f convert.Format) string { return cobra.CompletionWithDesc(f.Name, f.Doc) })
	case "export":
		var out []string
		names, docs := export.Formats()
		for i, name := range names {
			out = append(out, cobra.CompletionWithDesc(name, docs[i]))
		}
		return out
	case "report":
		return []string{render.HTML, render.Markdown}
	case "history":
		return []string{render.Text, render.JSON, render.Markdown, render.HTML}
	}
	return []string{render.Text, render.JSON, render.Markdown}
}

// percentiles completes --slo up to the time.
func percentiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"p50=", "p90=", "p95=", "p99=", "p99.9="}, begun
}

// show shows the flags of the parameters of the workloads that are on a command line, and what they mean there.
func (k Known) show(flags *pflag.FlagSet, line []string) {
	measured := k.typed(line)
	flags.VisitAll(func(f *pflag.Flag) {
		for _, s := range measured {
			if p, ok := s.Param(invocation.ParamOf(s, f.Name)); ok && f.Hidden {
				f.Hidden, f.Usage = false, p.Doc
			}
		}
	})
}

// value returns the function for a flag that is a parameter of workloads: the parameter's values. Others have values
// that nobody knows; nil if there is none to complete.
func (k Known) value(f *pflag.Flag) cobra.CompletionFunc {
	if f.Value.Type() == string(record.Bool) && f.NoOptDefVal != "" {
		return nil
	}
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		for _, s := range k.measured(args) {
			if p, ok := s.Param(invocation.ParamOf(s, f.Name)); ok {
				return valuesOf(s, p)
			}
		}
		return nil, names
	}
}

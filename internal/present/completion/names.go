package completion

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/list"
	"plimsoll/internal/engine"
	"plimsoll/internal/engine/all"
	"plimsoll/internal/workload"
	"plimsoll/suites"
)

func (k Known) workloads() []string {
	return list.Map(k.Workloads, func(s workload.Spec) string { return cobra.CompletionWithDesc(s.Name, s.Doc) })
}

func suitesOf() []string {
	return list.Map(suites.Names(), func(name string) string {
		req, _, err := suites.Find(name)
		if err != nil {
			return name
		}
		return cobra.CompletionWithDesc(name, req.Doc)
	})
}

// engines returns the engines and profilers; if toSetUp, those that setup takes.
func engines(toSetUp bool) []string {
	var out []string
	for _, e := range all.Findables() {
		if _, ok := e.(engine.Setup); ok || !toSetUp {
			out = append(out, cobra.CompletionWithDesc(e.Name(), e.Doc()))
		}
	}
	return out
}

// measurable completes the arguments of run: workloads and suites, then a workload's own arguments, whose form is
// shown.
func (k Known) measurable(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	for _, s := range k.Workloads {
		if s.Command.Arguments != "" && slices.Contains(args, s.Name) {
			return cobra.AppendActiveHelp(nil, "plimsoll run "+s.Name+" "+s.Command.Arguments), files
		}
	}
	return others(slices.Concat(k.workloads(), suitesOf()), args), files
}

// helped completes the arguments of help: commands with their parts, or one thing that can be measured or set up.
func (k Known) helped(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	found, rest, err := cmd.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, names
	}
	var out []string
	for _, c := range found.Commands() {
		if c.IsAvailableCommand() {
			out = append(out, cobra.CompletionWithDesc(c.Name(), c.Short))
		}
	}
	if len(args) == 0 {
		out = slices.Concat(out, k.workloads(), engines(false), suitesOf())
	}
	return out, names
}

// typed returns the workloads whose names are among words.
func (k Known) typed(words []string) []workload.Spec {
	var out []workload.Spec
	for _, s := range k.Workloads {
		if slices.Contains(words, s.Name) {
			out = append(out, s)
		}
	}
	return out
}

// found returns the workload of a name, and whether there is one.
func (k Known) found(name string) (workload.Spec, bool) {
	at := slices.IndexFunc(k.Workloads, func(s workload.Spec) bool { return s.Name == name })
	if at < 0 {
		return workload.Spec{}, false
	}
	return k.Workloads[at], true
}

// metrics completes --metric: WORKLOAD.METRIC, or the metric alone if one workload is measured.
func (k Known) metrics(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
	var bare, full []string
	measured := k.measured(args)
	for _, s := range measured {
		for _, m := range s.Metrics {
			full = append(full, cobra.CompletionWithDesc(s.Name+"."+m.Name, m.Doc))
			bare = append(bare, cobra.CompletionWithDesc(m.Name, m.Doc))
		}
	}
	if len(measured) == 1 && !strings.Contains(toComplete, ".") {
		return bare, names
	}
	return full, names
}

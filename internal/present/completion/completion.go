// Package completion completes command lines in a shell by the names that the program knows: workloads, parameters and
// their values, suites, engines, formats, instance types. It reads no session: the shell completes the names of files.
package completion

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/workload"
)

// Known holds the names that the program knows.
type Known struct {
	Workloads []workload.Spec
	Catalogue func() (*catalog.Catalog, error)
}

// files leaves the completion to the shell, which completes files.
const files = cobra.ShellCompDirectiveDefault

// names are complete words, of which there are no others.
const names = cobra.ShellCompDirectiveNoFileComp

// begun are words that the next characters of the same argument go on from.
const begun = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace

// Add lets a command tree complete the command line that a shell hands over in args. It leaves the tree as it is if
// args are another command line, which need not wait for it.
func (k Known) Add(root *cobra.Command, args []string) error {
	if len(args) == 0 || args[0] != cobra.ShellCompRequestCmd && args[0] != cobra.ShellCompNoDescRequestCmd {
		return nil
	}
	root.InitDefaultHelpCmd()
	for _, cmd := range tree(root) {
		if f := k.arguments(cmd); f != nil {
			cmd.ValidArgsFunction = f
		}
		if cmd.Name() == "run" {
			k.show(cmd.Flags(), args)
		}
		if err := k.addFlags(cmd); err != nil {
			return err
		}
	}
	return nil
}

// tree returns a command and all below it.
func tree(root *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{root}
	for i := 0; i < len(out); i++ {
		out = append(out, out[i].Commands()...)
	}
	return out
}

// addFlags registers a function for each flag of a command that takes a value.
func (k Known) addFlags(cmd *cobra.Command) (err error) {
	known := k.flags(cmd)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		complete, ok := known[f.Name]
		if !ok {
			complete = k.value(f)
		}
		if complete != nil && err == nil {
			err = cmd.RegisterFlagCompletionFunc(f.Name, complete)
		}
	})
	return err
}

// arguments returns the function for a command's arguments; nil leaves them to the shell.
func (k Known) arguments(cmd *cobra.Command) cobra.CompletionFunc {
	switch strings.TrimPrefix(cmd.CommandPath(), "plimsoll ") {
	case "run":
		return k.measurable
	case "help":
		return k.helped
	case "list":
		return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return others(slices.Concat(k.workloads(), engines(false), suitesOf()), args), names
		}
	case "setup":
		return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return others(engines(true), args), names
		}
	case "show", "compare", "report", "export", "tidy":
		return withExtension("jsonl")
	case "claims", "history", "serve":
		return directories
	case "prices list", "prices compare":
		return k.offered
	case "prices set":
		return k.priced
	case "prices import":
		return withExtension("csv")
	case "import", "completion", "status", "fetch", "hosts", "port":
		return nil
	}
	return nothing
}

// nothing completes an argument that has no known values.
func nothing(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, names
}

// oneOf completes fixed values.
func oneOf(values ...string) cobra.CompletionFunc { return cobra.FixedCompletions(values, names) }

func directories(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

func withExtension(ext string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return []string{ext}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// others returns the candidates that are not among the words already typed.
func others(candidates, typed []string) []string {
	return slices.DeleteFunc(candidates, func(c string) bool {
		name, _, _ := strings.Cut(c, "\t")
		return slices.Contains(typed, name)
	})
}

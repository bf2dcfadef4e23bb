package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/present/manual"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/present/terms"
	"plimsoll/internal/run/invocation"
)

// helpCommand returns `help`, which also knows workloads, engines and suites.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND|WORKLOAD|ENGINE|SUITE|terms]",
		Example: `  plimsoll help compare
  plimsoll help http
  plimsoll help prices set
  plimsoll help terms`,
		Short: "help on a command, or on what can be measured",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains([]string{"terms", "glossary"}, args[0]) {
				return a.helpOnTerms()
			}
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) == 0 {
				return a.help(found)
			}
			if err == nil && found.HasParent() { // such as run http
				args = rest
			}
			listing, err := a.listing(cmd.Context(), args)
			if err != nil {
				return a.noHelp(cmd.Root(), args[0])
			}
			return a.details(listing)
		},
	}
}

// noHelp returns the error of a word that names neither a command nor a workload.
func (a *app) noHelp(root *cobra.Command, word string) error {
	if run, _, err := root.Find([]string{"run"}); err == nil {
		if f := run.Flags().Lookup(strings.TrimLeft(word, "-")); f != nil && !f.Hidden {
			return usagef("%q is a flag of run, not a command\nhint: %s", word, manual.FlagLine(f))
		}
	}
	return unknownThing("command, workload, engine or suite", word,
		slices.Concat(verbs(root), invocation.Names(a.agent.Workloads)), a.agent.Workloads)
}

// printHelp writes a command's help to its output.
func printHelp(cmd *cobra.Command, _ []string) { io.WriteString(cmd.OutOrStdout(), manual.Help(cmd)) }

// helpOnTerms prints the glossary at 80 columns.
func (a *app) helpOnTerms() error {
	const indent = 28
	var text strings.Builder
	for _, t := range terms.All() {
		lines := term.Wrap(t.Meaning, 80-indent)
		fmt.Fprintf(&text, "%-*s%s\n", indent, t.Name, strings.Join(lines, "\n"+strings.Repeat(" ", indent)))
	}
	_, err := io.WriteString(a.stdout, text.String())
	return err
}

// helpOfRun prints the help of the workloads and suites among the arguments; without any, that of the command.
func (a *app) helpOfRun(usual func(*cobra.Command, []string)) func(*cobra.Command, []string) {
	return func(cmd *cobra.Command, args []string) {
		var names []string
		for _, arg := range args {
			if slices.Contains(invocation.Names(a.agent.Workloads), arg) {
				names = append(names, arg)
			}
		}
		if len(names) == 0 {
			usual(cmd, args)
			return
		}
		listing, err := a.listing(cmd.Context(), names)
		if err != nil || a.details(listing) != nil {
			usual(cmd, args)
		}
	}
}

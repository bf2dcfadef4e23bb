package main

import (
	"slices"

	"github.com/spf13/cobra"

	"plimsoll/internal/invocation"
	"plimsoll/internal/usage"
)

// helpCommand returns `help`, which also knows workloads, engines and suites.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND|WORKLOAD|ENGINE|SUITE]",
		Example: `  plimsoll help compare
  plimsoll help http
  plimsoll help prices set`,
		Short: "help on a command, or on what can be measured",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := cmd.Root().Find(args)
			if err == nil && len(rest) == 0 {
				return a.help(found)
			}
			listing, err := a.listing(cmd.Context(), args)
			if err != nil {
				return usage.Unknown("command, workload, engine or suite", args[0],
					slices.Concat(verbs(cmd.Root()), invocation.Names(a.agent.Workloads)))
			}
			return a.details(listing)
		},
	}
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

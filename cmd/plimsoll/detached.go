package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"plimsoll/internal/present/media/json"
	"plimsoll/internal/record"
	"plimsoll/internal/run/detached"
	"plimsoll/internal/run/invocation"
)

const flagMaxSize = "max-size"

// detachedOptions are the flags of the verbs that look after runs for which nobody waits.
type detachedOptions struct {
	on, output, trust, binaries string
	maxSize                     string
	json, carry                 bool
}

func (a *app) detachedCommands() []*cobra.Command {
	verb := func(args cobra.PositionalArgs, use, short, long, examples string,
		do func(cmd *cobra.Command, o *detachedOptions, args []string) error) (*cobra.Command, *detachedOptions) {
		var o detachedOptions
		cmd := &cobra.Command{Use: use, Short: short, Long: long, Example: examples, Args: args}
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			if o.on != "" && cmd.Name() != "fetch" {
				return detached.Relay(cmd.Context(), o.on, slices.Concat([]string{cmd.Name()}, o.asFlags(), args),
					a.said, a.stderr)
			}
			return do(cmd, &o, args)
		}
		cmd.Flags().StringVar(&o.on, "on", "", "look on the host that this `COMMAND` reaches, such as 'ssh host'")
		return cmd, &o
	}
	status, o := verb(needFiles, "status FILE|DIR...", "show the progress of runs",
		"Prints whether each session's run is still going, how many runs are done and left, and how it ended.",
		`  plimsoll status night.plimsoll.jsonl
  plimsoll status . --json
  plimsoll status night.plimsoll.jsonl --on 'ssh controller'`, a.status)
	status.Flags().BoolVar(&o.json, "json", false, "print it as JSON")
	tidy, t := verb(needFile, "tidy FILE", "clean up after an interrupted run",
		"Cleans up after an interrupted run: removes the data that it kept on its hosts for --resume, and restores the "+
			"settings that it changed.",
		`  plimsoll tidy night.plimsoll.jsonl
  plimsoll tidy night.plimsoll.jsonl --on 'ssh controller'
  plimsoll tidy night.plimsoll.jsonl --on 'kubectl exec -i controller-0 --'`, a.tidyUp)
	fetch, f := verb(needFile, "fetch FILE", "bring a session from another host",
		"Copies a session from the host that --on reaches, also of a run that is still going, and verifies it by "+
			"its SHA-256.",
		`  plimsoll fetch night.plimsoll.jsonl --on 'ssh controller'
  plimsoll fetch night.plimsoll.jsonl --on 'ssh m7g' -o m7g.plimsoll.jsonl
  plimsoll fetch night.plimsoll.jsonl --on 'kubectl exec -i holder-0 --'`, a.fetch)
	tidy.Flags().StringVar(&t.trust, flagTrust, "",
		"for a plan that was started elsewhere: confirm it by the first digits of the `DIGEST` that tidy prints")
	tidy.Flags().BoolVar(&t.carry, flagCarry, false, "copy this program to the session's hosts, as run --deploy did")
	tidy.Flags().StringVar(&t.binaries, flagBinaries, "", binariesUsage)
	fetch.Flags().StringVarP(&f.output, "output", "o", "",
		"`FILE` to write (default the session's name, in this directory); - sends it with its length and digest")
	fetch.Flags().StringVar(&f.maxSize, flagMaxSize, "1GiB", "fetch sessions up to this `SIZE`")
	return []*cobra.Command{status, stoppable(fetch), stoppable(tidy)}
}

func (o detachedOptions) asFlags() []string {
	var out []string
	if o.json {
		out = append(out, "--json")
	}
	if o.trust != "" {
		out = append(out, "--"+flagTrust+"="+o.trust)
	}
	if o.carry {
		out = append(out, "--"+flagCarry)
	}
	if o.binaries != "" {
		out = append(out, "--"+flagBinaries+"="+o.binaries)
	}
	return out
}

func (a *app) status(cmd *cobra.Command, o *detachedOptions, args []string) error {
	states, err := detached.States(cmd.Context(), a.open, args)
	if err != nil {
		err = invocation.Instead(err, args, a.agent.Workloads)
	}
	if o.json {
		return errors.Join(json.Write(a.stdout, states), err)
	}
	for _, s := range states {
		fmt.Fprintf(a.said, "%s  %s\n", s.File, s.Sentence())
	}
	return err
}

func (a *app) fetch(cmd *cobra.Command, o *detachedOptions, args []string) error {
	file := args[0]
	if o.output == "-" && o.on == "" {
		return detached.Send(file, a.stdout)
	}
	if o.on == "" {
		return usagef("fetch brings a session from another host\nhint: plimsoll fetch %s --on 'ssh host'", quoted(file))
	}
	if o.output == "-" {
		return usagef("-o - sends a session from this host, and --on brings one here\nhint: -o FILE")
	}
	if o.output == "" {
		o.output = filepath.Base(file)
	}
	most, err := record.ParseSize(o.maxSize)
	if err != nil || most <= 0 {
		return usagef("--%s %s: must be a size such as 4GiB", flagMaxSize, o.maxSize)
	}
	got, err := detached.Fetch(cmd.Context(), o.on, file, o.output, most, a.stderr)
	if err != nil {
		return err
	}
	fmt.Fprintf(a.said, "%s: %s\n", o.output, got.Text())
	return nil
}

func (a *app) tidyUp(cmd *cobra.Command, o *detachedOptions, args []string) error {
	via, err := a.reachable(o.carry, o.binaries)
	if err != nil {
		return err
	}
	e, err := a.resumed(cmd.Context(), runOptions{resume: args[0], trust: o.trust, tidies: true}, via)
	if err != nil {
		return err
	}
	defer e.writer.Close()
	return a.loop(e).Tidy(cmd.Context())
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/analysis/history"
	"plimsoll/internal/analysis/valuation"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/exchange/export"
	"plimsoll/internal/present/folder"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/replace"
)

type exportOptions struct {
	format, output string
	cell           int
}

func (a *app) exportCommand() *cobra.Command {
	var o exportOptions
	names, texts := export.Formats()
	var docs []string
	for i, name := range names {
		docs = append(docs, fmt.Sprintf("  %-12s %s", name, texts[i]))
	}
	cmd := &cobra.Command{
		Use: "export FILE... --format F",
		Example: `  plimsoll export run.plimsoll.jsonl --format csv -o runs.csv
  plimsoll export run.plimsoll.jsonl --format json
  plimsoll export run.plimsoll.jsonl --format pprof -o profile
  plimsoll export results --format otava -o nights.csv`,
		Short: "export the runs of session files to other programs",
		Long: "Exports the runs of session files to other programs. Secrets that a session contains are masked.\n\n" +
			strings.Join(docs, "\n"),
		Args: needFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if ext := strings.TrimPrefix(filepath.Ext(o.output), "."); o.format == "" && slices.Contains(names, ext) {
				o.format = ext
			}
			if err := replace.Spares(o.output, args); err != nil {
				return err
			}
			out, ok := profileOutputOf(o.format)
			switch {
			case ok:
				return a.exportProfile(cmd.Context(), o, out, args)
			case cmd.Flags().Changed(flagBenchmark):
				return usagef("--benchmark selects a profile, but --format %s exports all runs\n"+
					"hint: leave out --benchmark, or --format %s",
					o.format, convert.ProfileOutputs()[0].Name)
			case o.format == export.Otava:
				return a.exportNights(cmd.Context(), o, args)
			}
			return a.export(cmd.Context(), o, args)
		},
	}
	cmd.Flags().StringVar(&o.format, "format", "", "output `FORMAT`, one of the above (default the output file's "+
		"extension: csv or json)")
	cmd.Flags().StringVarP(&o.output, "output", "o", "-", "output `FILE`, which it replaces; - is standard output")
	cmd.Flags().IntVar(&o.cell, flagBenchmark, 0,
		"export the profile of benchmark number `N`; required if there are several, which are then listed")
	return cmd
}

func (a *app) export(ctx context.Context, o exportOptions, files []string) error {
	out, err := outputOf(o.format)
	if err != nil {
		return err
	}
	log, err := a.read(ctx, files)
	if err != nil {
		return err
	}
	log, found, err := export.Masked(log)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		fmt.Fprintf(a.stderr, "plimsoll: masked secrets that the session contains: %s\n", strings.Join(found, ", "))
	}
	if out.Flat {
		apart, notes := new(valuation.Valuer).TellApart(log)
		for _, note := range notes {
			fmt.Fprintf(a.stderr, "plimsoll: %s\n", note)
		}
		log = apart
	}
	left, err := a.exportTo(o.output, func(w io.Writer) (int, error) { return out.Write(w, log) })
	if err != nil {
		return fmt.Errorf("exporting %s: %w", strings.Join(files, ", "), err)
	}
	if left > 0 {
		fmt.Fprintf(a.stderr, "plimsoll: left out %s that failed or that no estimate includes\n", figure.Count(left, "run"))
	}
	return someLeft(log, left)
}

// someLeft returns an error for sessions without anything to export.
func someLeft(log *session.Log, left int) error {
	if left < len(log.Trials) {
		return nil
	}
	return noTrialError{"no valid run to export is part of an estimate\nhint: --format json exports the other runs too"}
}

// exportTo writes to standard output, or replaces a file atomically.
func (a *app) exportTo(path string, write func(io.Writer) (int, error)) (left int, err error) {
	buffered := func(w io.Writer) error {
		b := bufio.NewWriter(w)
		if left, err = write(b); err != nil {
			return err
		}
		return b.Flush()
	}
	switch {
	case path == "-" && term.OnTerminal(a.stdout):
		err = buffered(a.said)
		return left, err
	case path == "-":
		err = buffered(a.stdout)
		return left, err
	}
	if err := replace.File(path, 0o644, buffered); err != nil {
		return left, fmt.Errorf("writing %s: %w\nhint: -o FILE writes it elsewhere", path, err)
	}
	return left, nil
}

// exportNights exports the nights of sessions and directories, of instance types where they are known.
func (a *app) exportNights(ctx context.Context, o exportOptions, paths []string) error {
	kept, err := folder.Below(ctx, paths, a.typeOf())
	if err != nil {
		return err
	}
	doc := history.Of(kept, true)
	for _, l := range doc.LeftOut {
		fmt.Fprintf(a.stderr, "plimsoll: %s: left out: %s\n", l.File, l.Reason)
	}
	if len(doc.Histories) == 0 {
		return noTrialError{fmt.Sprintf("no benchmark was measured twice in %s\nhint: otava follows benchmarks over "+
			"several sessions", figure.Count(doc.Sessions, "session"))}
	}
	left := 0
	if _, err = a.exportTo(o.output, func(w io.Writer) (int, error) {
		files, err := export.WriteOtava(w, doc)
		left = len(files)
		return left, err
	}); err != nil {
		return fmt.Errorf("exporting %s: %w", strings.Join(paths, ", "), err)
	}
	if left > 0 {
		fmt.Fprintf(a.stderr, "plimsoll: left out %s without a benchmark that the others have\n",
			figure.Count(left, "night"))
	}
	return nil
}

func outputOf(name string) (convert.Output, error) {
	for _, out := range export.Outputs() {
		if out.Name == name {
			return out, nil
		}
	}
	names, _ := export.Formats()
	if name == "" {
		return convert.Output{}, usagef("export needs --format\nhint: the formats are %s", strings.Join(names, ", "))
	}
	return convert.Output{}, unknownFormat(name, names)
}

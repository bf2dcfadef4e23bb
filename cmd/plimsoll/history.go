package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"plimsoll/internal/analysis/history"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/present/folder"
	"plimsoll/internal/present/media/json"
	"plimsoll/internal/present/render"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/run/replace"
)

type historyOptions struct {
	by     string
	cells  []string
	format string
	json   bool // the synonym of --format json
	output string
	title  string
	depth  block.Depth
}

func (a *app) historyCommand() *cobra.Command {
	var o historyOptions
	cmd := &cobra.Command{
		Use: "history DIR...",
		Example: `  plimsoll history results
  plimsoll history results --benchmark '32 clients'
  plimsoll history results --by type -o history.html`,
		Short: "find changes of benchmarks over many sessions",
		Long: `Follows benchmarks over all sessions below some directories, each of one night. It compares a night with
the baseline in its own session or, if there is none, with the nights before it. It marks changes of the machine, its
kernel or microcode, and of engine versions. 1% of the histories without a change are suspected of one.

It names and excludes sessions that it can't read, that were cut short, or that a run still writes.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("history needs a directory of sessions\nhint: plimsoll history DIR")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.format, err = render.HistoryFormat(o.format, o.json, o.output); err != nil {
				return err
			}
			if o.by != record.KeyMachine && o.by != trialset.ByType {
				return usagef("--by %s: histories are by machine or type\nhint: --by type follows an instance type over "+
					"its machines", o.by)
			}
			return a.history(cmd.Context(), o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.by, "by", record.KeyMachine,
		"follow each `machine`, or type: instance types, with another machine in each night")
	f.StringArrayVar(&o.cells, flagBenchmark, nil, "only benchmarks whose name, machine or metric contains this `TEXT`; "+
		"repeatable")
	f.StringVar(&o.format, "format", "",
		"`FORMAT`: text, json, markdown or html (default by the output file's extension, else text)")
	f.BoolVar(&o.json, "json", false, "print one JSON document, as --format json")
	f.StringVarP(&o.output, "output", "o", "-", "output `FILE`, which it replaces; - is standard output")
	f.StringVar(&o.title, "title", "", "`TITLE` of the page (default the names of the directories)")
	addDepth(f, &o.depth)
	return cmd
}

func (a *app) history(ctx context.Context, o historyOptions, dirs []string) error {
	kept, err := folder.Below(ctx, dirs, a.typeOf())
	if err != nil {
		return err
	}
	if len(kept) == 0 {
		return usagef("no session in %s\nhint: history reads files that end in .plimsoll.jsonl, also in directories below",
			strings.Join(dirs, ", "))
	}
	if o.output != "-" {
		if err := replace.Spares(o.output, folder.Names(kept)); err != nil {
			return err
		}
	}
	doc := history.Of(kept, o.by == trialset.ByType)
	if doc.Sessions == 0 {
		first := doc.LeftOut[0]
		return noTrialError{fmt.Sprintf("no whole session in %s: %s: %s\nhint: plimsoll history DIR reads the sessions in a "+
			"directory", strings.Join(dirs, ", "), first.File, strings.TrimPrefix(first.Reason, first.File+" "))}
	}
	if doc, err = doc.Only(o.cells); err != nil {
		return err
	}
	_, err = a.exportTo(o.output, func(w io.Writer) (int, error) { return 0, a.writeHistory(w, o, doc, dirs) })
	return err
}

func (a *app) writeHistory(w io.Writer, o historyOptions, doc history.Document, dirs []string) error {
	switch o.format {
	case render.JSON:
		return json.Write(w, doc)
	case render.Markdown:
		return render.HistoryMarkdown(w, doc, o.depth)
	case render.HTML:
		title := o.title
		if title == "" {
			title = "History of " + strings.Join(baseNames(dirs), ", ")
		}
		return render.HistoryPage(w, title, time.Now().UTC().Format("2006-01-02 15:04 UTC"), doc, o.depth)
	}
	return render.History(w, a.style(), doc, o.depth)
}

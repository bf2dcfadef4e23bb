package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/exchange/convert/gather"
	"plimsoll/internal/exchange/convert/into"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/run/replace"
)

type importOptions struct {
	format, output    string
	machine, workload string
	replicate         int
	loads             []string
	params            []string
	intended          bool
}

func (a *app) importCommand() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use: "import PATH... [-o OUT]",
		Example: `  plimsoll import results
  plimsoll import m6i/wrk.txt m7g/wrk.txt -o wrk.plimsoll.jsonl
  plimsoll import bench.txt --machine m7g --workload parser --param branch=main`,
		Short: "import the results of other tools into a session file",
		Long: "Imports the results of other tools into a session file, which it creates or appends to. It recognises the " +
			"format of each file, and takes all results in a folder and those below. It names files that it can't read, with " +
			"a remedy, and imports the others.\n\n" + formatsText(),
		Args: needInputs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.importFiles(cmd, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "",
		"`FORMAT` of the files, one of the above, instead of recognising it")
	f.StringVarP(&o.output, "output", "o", "",
		"session `FILE` to create or append to (default PATH.plimsoll.jsonl, which must not exist)")
	f.StringVar(&o.machine, "machine", "",
		"`NAME` of the measured machine, if missing in the files (default their folder, if there are several)")
	f.StringVar(&o.workload, "workload", "", "`NAME` of the workload, if missing in the files")
	f.IntVar(&o.replicate, "replicate", convert.Unnumbered, "number `N` of the run, if missing in the files")
	f.StringArrayVar(&o.loads, "load", nil, "load, if missing in the files: a number of clients, cpus=N, or rate=N in "+
		"operations/s; FILE is a file, a pattern such as '*.csv', or a format; `[FILE=]LOAD`")
	f.StringArrayVar(&o.params, "param", nil,
		"parameter of all results, if missing in the files; `NAME=VALUE`, repeatable")
	f.BoolVar(&o.intended, "intended-errors", false,
		"count errors that sysbench ignored as intended, such as TPC-C's roll-backs")
	f.Lookup("replicate").DefValue = ""
	return cmd
}

func needInputs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("import needs a file or folder to read\nhint: plimsoll import m6i/wrk.txt m7g/wrk.txt, or plimsoll " +
			"import results; - is standard input")
	}
	return nil
}

func formatNames() []string {
	var out []string
	for _, f := range convert.All() {
		out = append(out, f.Name)
	}
	return out
}

func formatsText() string {
	width := 0
	for _, name := range formatNames() {
		width = max(width, len(name))
	}
	var b strings.Builder
	for _, f := range convert.All() {
		fmt.Fprintf(&b, "  %-*s  %s\n", width, f.Name, f.Doc)
	}
	return b.String()
}

// formatFirst returns an error if the first of several paths is a format's name and no file.
func formatFirst(paths []string) error {
	if len(paths) < 2 || !slices.Contains(formatNames(), paths[0]) {
		return nil
	}
	if _, err := os.Stat(paths[0]); err == nil {
		return nil
	}
	return usagef("there is no file or folder %s\nhint: plimsoll import --format %s %s", paths[0], paths[0],
		strings.Join(paths[1:], " "))
}

// importFiles reads all files before writing anything.
func (a *app) importFiles(cmd *cobra.Command, o importOptions, paths []string) error {
	for _, path := range paths {
		if jobs(path) {
			return usagef("%s is a job file of fio, not its output\nhint: plimsoll run disk %s", path, path)
		}
	}
	if o.format != "" && !slices.Contains(formatNames(), o.format) {
		return unknownFormat(o.format, formatNames())
	}
	if err := formatFirst(paths); err != nil {
		return err
	}
	options, err := o.reading(cmd)
	if err != nil {
		return err
	}
	if options.CPUs, err = a.cpusOf(); err != nil {
		return err
	}
	found, err := gather.Find(gather.Request{Paths: paths, Format: o.format, Stdin: cmd.InOrStdin(),
		IsType: func(name string) bool { n, of := options.CPUs(name); return n > 0 && of == name }})
	if err != nil {
		return err
	}
	output := cmp.Or(o.output, found.Output(paths)+session.Suffix)
	if err := o.mayWrite(output, paths, found); err != nil {
		return err
	}
	read, err := o.read(found, options)
	if err == nil && len(read.batches) == 0 {
		err = a.nothingRead(read.unread)
	}
	if err != nil {
		return err
	}
	err = a.take(cmd.Context(), output, &read) // until here nothing was written
	if errors.Is(err, session.ErrNotSession) {
		return usage.With(err, "-o OTHER: it is left as it is")
	}
	if err == nil && len(read.done.Written) == 0 {
		err = a.nothingRead(read.unread)
	}
	if err != nil {
		return err
	}
	a.tellImported(output, read, found)
	return a.tellUnread(read.unread)
}

// imported are the results of an import, and what was not read of what was found.
type imported struct {
	batches []*convert.Batch
	of      map[*convert.Batch]gather.Input
	done    into.Done
	unread  []gather.Unread
}

// read reads all inputs. The error is that of what stops all, or of all that was found.
func (o importOptions) read(found gather.Found, options convert.Options) (imported, error) {
	out := imported{of: map[*convert.Batch]gather.Input{}, unread: found.Unread}
	loads, err := o.givenLoads(found.Inputs)
	if err != nil {
		return out, err
	}
	var im convert.Import
	for _, in := range found.Inputs {
		options.Load, options.FillLoad = loads.of(in)
		options.FillLoad = options.FillLoad && len(found.Inputs) > 1
		b, err := readInput(&im, in, options)
		if len(found.Inputs) > 1 {
			err = ofSeveral(in, err)
		}
		if err != nil && !usage.Is(err) {
			return out, err
		}
		if err != nil {
			out.unread = append(out.unread, gather.Unread{Path: in.Path, Why: err, Named: in.Named})
			continue
		}
		out.batches, out.of[b] = append(out.batches, b), in
	}
	return out, loads.used(out.batches)
}

// mayWrite rejects an output that is an input, and one that nobody named and that exists.
func (o importOptions) mayWrite(output string, paths []string, found gather.Found) error {
	if _, err := os.Stat(output); err == nil && o.output == "" {
		return usagef("%s exists\nhint: -o %s appends to it; -o OTHER writes another file", output, quoted(output))
	}
	for _, in := range found.Inputs {
		paths = append(paths, in.Path)
	}
	return replace.NotAnInput(output, paths)
}

// cpusOf returns a function for the vCPUs of machines named like an instance type.
func (a *app) cpusOf() (func(machine string) (float64, string), error) {
	c, err := a.catalogue()
	if err != nil {
		return nil, err
	}
	known := map[string]catalog.Type{} // cache: a file has many rows for few machines
	return func(machine string) (float64, string) {
		t, ok := known[machine]
		if !ok {
			t, _ = c.Like(machine)
			known[strings.Clone(machine)] = t
		}
		return float64(t.VCPUs), t.Name
	}, nil
}

// unknownFormat is usage.Unknown, but always lists the formats, which are few.
func unknownFormat(name string, known []string) error {
	all := "there are " + strings.Join(known, ", ")
	if near := nearest.Of(name, known); near != "" {
		all = fmt.Sprintf("did you mean %s? %s", near, all)
	}
	return usagef("unknown format %q\nhint: %s", name, all)
}

// reading returns the data about the results from the flags.
func (o importOptions) reading(cmd *cobra.Command) (convert.Options, error) {
	out := convert.Options{Machine: o.machine, Workload: o.workload, Replicate: o.replicate, Params: record.Params{},
		IntendedErrors: o.intended}
	for _, name := range []string{"machine", "workload"} {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return out, usagef("--%s is empty", name)
		}
	}
	if cmd.Flags().Changed("replicate") && (o.replicate < 0 || o.replicate > convert.MaxReplicate) {
		return out, usagef("--replicate %d: must be 0 to %d", o.replicate, convert.MaxReplicate)
	}
	for _, p := range o.params {
		name, value, ok := strings.Cut(p, "=")
		if !ok || name == "" || value == "" {
			return out, usagef("--param %s: must be NAME=VALUE", p)
		}
		if had, ok := out.Params[name]; ok && had != value {
			return out, usagef("--param %s is given as %s and as %s", name, had, value)
		}
		out.Params[name] = value
	}
	return out, nil
}

// readInput reads all of an input.
func readInput(im *convert.Import, in gather.Input, o convert.Options) (*convert.Batch, error) {
	file, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	o.File, o.Name, o.Folder, o.NoFolder = in.Path, in.Name, in.Folder, in.NoFolder
	return im.Read(in.Format, file, o)
}

// jobs reports whether a file is named as a job file of fio, and does not hold fio's JSON all the same.
func jobs(path string) bool {
	if filepath.Ext(path) != ".fio" {
		return false
	}
	text, err := input.ReadText(path, 64<<20)
	return err != nil || !strings.Contains(string(text), "{")
}

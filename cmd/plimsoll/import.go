package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"plimsoll/internal/catalog"
	"plimsoll/internal/convert"
	"plimsoll/internal/input"
	"plimsoll/internal/nearest"
	"plimsoll/internal/record"
	"plimsoll/internal/usage"
)

type importOptions struct {
	format, output    string
	machine, workload string
	replicate         int
	load              string
	params            []string
}

func (a *app) importCommand() *cobra.Command {
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import --format F IN... -o OUT",
		Short: "import the results of other tools into a session file, to show and compare them",
		Long:  "Imports the results of other tools into a session file, which it creates or appends to. The formats are:\n\n" + formatsText(),
		Args:  needInputs,
		RunE:  func(cmd *cobra.Command, args []string) error { return a.importFiles(cmd, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "", "input format: "+strings.Join(formatNames(), ", "))
	f.StringVarP(&o.output, "output", "o", "", "session file to create or append to")
	f.StringVar(&o.machine, "machine", "", "measured machine, if missing in the files")
	f.StringVar(&o.workload, "workload", "", "workload, if missing in the files")
	f.IntVar(&o.replicate, "replicate", convert.Unnumbered, "number of the repetition, if missing in the files")
	f.StringVar(&o.load, "load", "", "load, if missing in the files: a number of clients, cpus=N, or rate=N in operations/s")
	f.StringArrayVar(&o.params, "param", nil, "NAME=VALUE: parameter of all results, if missing in the files")
	f.Lookup("replicate").DefValue = ""
	return cmd
}

func needInputs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef("import needs a file to read\nhint: plimsoll import --format csv results.csv -o OUT; - is standard input")
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

// importFiles reads all files before writing anything.
func (a *app) importFiles(cmd *cobra.Command, o importOptions, files []string) error {
	format, err := formatOf(o.format)
	if err != nil {
		return err
	}
	options, err := o.reading(cmd)
	if err != nil {
		return err
	}
	if options.CPUs, err = a.cpusOf(); err != nil {
		return err
	}
	if err := notAnInput(o.output, files); err != nil {
		return err
	}
	var im convert.Import
	var batches []*convert.Batch
	for _, file := range files {
		options.File = file
		b, err := readInput(cmd.Context(), &im, format, options, cmd.InOrStdin())
		if err != nil {
			return err
		}
		batches = append(batches, b)
	}
	return a.take(cmd.Context(), o.output, batches)
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

func formatOf(name string) (convert.Format, error) {
	for _, f := range convert.All() {
		if f.Name == name {
			return f, nil
		}
	}
	if name == "" {
		return convert.Format{}, usagef("import needs --format\nhint: there are %s", strings.Join(formatNames(), ", "))
	}
	return convert.Format{}, unknownFormat(name, formatNames())
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
	out := convert.Options{Machine: o.machine, Workload: o.workload, Replicate: o.replicate, Params: record.Params{}}
	if o.output == "" {
		return out, usagef("import needs -o OUT, session file to create or append to")
	}
	for _, name := range []string{"machine", "workload"} {
		if f := cmd.Flags().Lookup(name); f.Changed && f.Value.String() == "" {
			return out, usagef("--%s is empty", name)
		}
	}
	if cmd.Flags().Changed("replicate") && (o.replicate < 0 || o.replicate > convert.MaxReplicate) {
		return out, usagef("--replicate %d: must be 0 to %d", o.replicate, convert.MaxReplicate)
	}
	if cmd.Flags().Changed("load") {
		load, err := convert.GivenLoad(o.load)
		if err != nil {
			return out, usagef("--load %s: %v", o.load, err)
		}
		out.Load = load
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

// readInput reads one file; "-" is standard input.
func readInput(ctx context.Context, im *convert.Import, f convert.Format, o convert.Options, stdin io.Reader) (*convert.Batch, error) {
	in := stdin
	if o.File == "-" {
		o.File = "standard input"
	} else {
		file, err := input.Open(o.File)
		if usage.Is(err) {
			return nil, fmt.Errorf("%w; - reads standard input", err)
		}
		if err != nil {
			return nil, usagef("importing: %v", err)
		}
		defer file.Close()
		in = file
	}
	b, err := im.Read(f, stoppableReader{ctx, in}, o)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("stopped while reading %s; nothing was written", o.File)
	}
	return b, err
}

// stoppableReader is a reader that Ctrl-C ends.
type stoppableReader struct {
	ctx context.Context
	r   io.Reader
}

func (s stoppableReader) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.r.Read(p)
}

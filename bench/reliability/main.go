// Command reliability puts faults into real sessions, and holds what is left of them to invariants:
// scripts/reliability. It reads session files by a parser of its own, so that a fault of the program's reader cannot
// hide one of its writer.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"golang.org/x/sys/unix"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, unix.SIGTERM)
	defer stop()
	if len(os.Args) > 1 {
		own, isOwn := map[string]func([]string) error{"web": web, "work": work, "remote": func(args []string) error {
			return remote(args, os.Stdin, os.Stdout, os.Stderr)
		}}[os.Args[1]]
		if isOwn { // what the program measures, or through which it reaches its agent
			err := own(os.Args[2:])
			if ended := (*exec.ExitError)(nil); err != nil && !errors.As(err, &ended) {
				fmt.Fprintln(os.Stderr, err)
			}
			if err != nil {
				os.Exit(1)
			}
			return
		}
	}
	failed, err := campaignOf(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "reliability:", err)
		os.Exit(2)
	case failed:
		os.Exit(1)
	}
}

// part is a kind of fault.
type part struct {
	name  string
	full  int // trials of a full campaign
	short int
	quick int // 0: it takes too long for that, or needs the machine to itself
	run   func(context.Context, *trial) outcome
}

func parts() []part {
	return []part{
		{"kill", 300, 12, 4, kill},
		{"kill-at-call", 300, 16, 4, killAtCall},
		{"full-disk", 200, 8, 4, fullDisk},
		{"io-error", 100, 8, 4, ioError},
		{"read-error", 60, 8, 5, readError},
		{"power-cut", 100, 8, 3, powerCut},
		{"engine-kill", 102, 9, 0, engineKill},
		{"server-fault", 200, 12, 4, serverFault},
		{"figures", 200, 12, 3, figures},
		{"shared-session", 200, 8, 2, shared},
		{"output", 300, 18, 6, output},
		{"meddling", 100, 8, 4, meddle},
		{"stand-still", 200, 4, 2, standStill},
		{"undisturbed", 200, 4, 2, undisturbed},
		{"remote", 200, 16, 8, hostileRemote},
		{"serve", 30, 2, 1, serve},
		{"serve-read-error", 60, 6, 3, serveReadError},
	}
}

// options are the flags.
type options struct {
	program string
	seed    uint64
	short   bool
	quick   bool
	planted bool
	lanes   int
	only    string
	ledger  string
	count   map[string]int
	serving time.Duration
}

// size returns how large the longer trials are.
func (o options) size() size {
	switch {
	case o.quick:
		return size{flag: " --quick", clients: 12, files: 20, serving: min(o.serving, 2*time.Second), still: time.Second,
			atOnce: true}
	case o.short:
		return size{flag: " --short", clients: 50, files: 100, serving: min(o.serving, 8*time.Second), still: 2 * time.Second}
	}
	return size{clients: 200, files: 5000, serving: o.serving, still: 30 * time.Second}
}

// parse reads the flags.
func parse(args []string, to io.Writer) (options, error) {
	o := options{count: map[string]int{}}
	f := flag.NewFlagSet("reliability", flag.ContinueOnError)
	f.SetOutput(to)
	f.StringVar(&o.program, "program", "", "the plimsoll to try")
	f.Uint64Var(&o.seed, "seed", uint64(time.Now().Unix()), "of all that is random")
	f.BoolVar(&o.short, "short", false, "a few trials of each part")
	f.BoolVar(&o.quick, "quick", false, "a few trials of the parts that take seconds, none of which need hit")
	f.BoolVar(&o.planted, "planted", false, "builds with planted bugs, each of which must be found, instead")
	f.IntVar(&o.lanes, "lanes", 2, "trials at once")
	f.StringVar(&o.only, "only", "", "PART, or PART:SEED for one trial")
	f.StringVar(&o.ledger, "ledger", "",
		"a file to which each trial is added; those of the same program and seed that are there are not tried again")
	f.DurationVar(&o.serving, "serving", 20*time.Second, "for how long a server of sessions is read from")
	f.Func("count", "PART=N trials; repeatable", func(text string) error {
		name, n, _ := strings.Cut(text, "=")
		number, err := strconv.Atoi(n)
		o.count[name] = number
		if err == nil && !slices.ContainsFunc(parts(), func(p part) bool { return p.name == name }) {
			err = fmt.Errorf("there is no part %q", name)
		}
		return err
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.program == "" && !o.planted {
		return o, fmt.Errorf("unknown arguments %q, or no --program", f.Args())
	}
	var err error
	if o.program != "" { // each trial has a directory of its own
		o.program, err = filepath.Abs(o.program)
	}
	if err == nil && o.program != "" && !o.planted { // as /proc names it
		o.program, err = filepath.EvalSymlinks(o.program)
	}
	return o, err
}

// campaignOf carries out a campaign, and reports whether an invariant did not hold.
func campaignOf(ctx context.Context, args []string, to io.Writer) (bool, error) {
	o, err := parse(args, to)
	if err != nil {
		return false, err
	}
	if o.planted {
		return findPlanted(ctx, o, to)
	}
	work, err := os.MkdirTemp("", "reliability-")
	if err != nil {
		return false, err
	}
	if err := os.Chmod(work, 0o755); err != nil { // servers run as other users
		return false, err
	}
	c := &campaign{options: o, work: work, to: to}
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	if c.sum, err = sumOf(o.program, self); err != nil {
		return false, err
	}
	if c.done, err = readLedger(o.ledger, c.sum); err != nil {
		return false, err
	}
	fmt.Fprintf(to, "reliability of %s, seed %d, %d lanes, %s\n", o.program, o.seed, o.lanes,
		time.Now().UTC().Format(time.RFC3339))
	failed, err := c.run(ctx)
	if !failed {
		err = errors.Join(err, os.RemoveAll(work))
	}
	return failed, err
}

// table prints the ledger: counts, and the upper bound of the share that fails.
func table(to io.Writer, rows []row) {
	w := tabwriter.NewWriter(to, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "part\ttried\thit\tfailed\tat most\ttook\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.1f %%\t%.0f s\t\n", r.part, r.tried, r.hit, r.failed, 100*atMost(r.failed, r.hit),
			r.took.Seconds())
	}
	w.Flush()
}

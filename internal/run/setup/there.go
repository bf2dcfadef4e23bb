package setup

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/machine/hostlist"
	"plimsoll/internal/run/carry"
)

// There sets engines up on other hosts, by this program, which it carries there.
type There struct {
	From           carry.Binaries
	Stdout, Stderr io.Writer // rows, and what the hosts say meanwhile
	Dry, Sudo      bool      // as of Here
}

// atOnce bounds the hosts at work at one time: each is a process here, and takes a program of 50 MB.
const atOnce = 32

// Targets returns the hosts of --on, or else those of a list.
func Targets(on []string, listed []hostlist.Host) ([]hostlist.Host, error) {
	commands, names, err := hostlist.Named(on)
	if err != nil {
		return nil, err
	}
	if len(commands) > 0 {
		listed = list.Map(commands, func(c string) hostlist.Host {
			return hostlist.Host{Name: cmp.Or(names[c], c), Command: c}
		})
	}
	for i, h := range listed {
		if slices.ContainsFunc(listed[:i], func(o hostlist.Host) bool { return o.Command == h.Command }) {
			return nil, usage.Errorf("%q is given twice", h.Command)
		}
	}
	commands, _, _ = hostlist.Commands(listed)
	return listed, hostlist.Shown("on", commands)
}

// All sets up engines on hosts, all at once, and writes the outcome of each as a row.
func (t There) All(ctx context.Context, hosts []hostlist.Host, engines []string) error {
	args := append([]string{"setup"}, engines...)
	for flag, set := range map[string]bool{"--dry-run": t.Dry, "--sudo": t.Sudo} {
		if set {
			args = append(args, flag)
		}
	}
	var saying sync.Mutex
	say := func(name, line string) {
		saying.Lock()
		defer saying.Unlock()
		fmt.Fprintf(t.Stderr, "%s: %s\n", name, line)
	}
	outcomes := list.AtOnce(atOnce, hosts, func(h hostlist.Host) outcome {
		var o outcome
		exit, err := carry.Run(ctx, h.Command, t.From, args, func(line string) {
			say(h.Name, line)
			o.hear(line)
		})
		o.end(h.Name, exit, err)
		return o
	})
	if err := write(t.Stdout, outcomes); err != nil {
		return err
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	bad := list.Filter(outcomes, func(o outcome) bool { return o.failed })
	if len(bad) == 0 {
		return nil
	}
	return fmt.Errorf("%s not set up on %d of %d hosts: %s", strings.Join(engines, " and "), len(bad), len(hosts),
		strings.Join(list.Map(bad, func(o outcome) string { return o.name }), ", "))
}

// outcome is what became of a host.
type outcome struct {
	name   string
	found  []string // engines with their versions
	cause  string   // the error that it printed, or that kept it from being reached; "": none
	failed bool
}

// hear takes a line that the program prints there.
func (o *outcome) hear(line string) {
	if what, _, ok := strings.Cut(line, here); ok {
		o.found = append(o.found, what)
	}
	if said, ok := strings.CutPrefix(line, "plimsoll: "); ok {
		o.cause = said
	} else if o.cause != "" {
		o.cause += "\n" + line
	}
}

func (o *outcome) end(name string, exit int, err error) {
	o.name, o.failed = name, exit != 0 || err != nil
	if err != nil {
		o.cause = err.Error()
	}
}

// String returns what the host has, or why it failed.
func (o outcome) String() string {
	switch {
	case o.failed:
		return "failed: " + cmp.Or(strings.ReplaceAll(o.cause, "\n", "\n  "), "it did not say why")
	case len(o.found) > 0:
		return "has " + strings.Join(o.found, ", ")
	}
	return "has said its steps"
}

func write(w io.Writer, all []outcome) error {
	for _, o := range all {
		if _, err := fmt.Fprintf(w, "%s %s\n", o.name, o); err != nil {
			return err
		}
	}
	return nil
}

// Package hosts asks the tools that know a user's machines for them, and asks each machine whether it can be measured.
package hosts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/process"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/machine/hostlist"
)

// Source is where the hosts come from; one of Inventory, Slurm, Pods.Selector and File is set.
type Source struct {
	Inventory []string // of Ansible: files, directories, plugins' configurations
	Limit     string   // a pattern of its hosts; "": all
	Slurm     string   // id of a job
	Pods      hostlist.Selection
	File      string    // list of hosts; "-": Stdin
	Stdin     io.Reader //
}

// Take takes the arguments of a command line, and returns wrong usage unless there is one source.
func (s *Source) Take(args []string) error {
	n := len(args)
	for _, set := range []bool{len(s.Inventory) > 0, s.Slurm != "", s.Pods.Selector != ""} {
		if set {
			n++
		}
	}
	podFlags := s.Pods.Namespace != "" || s.Pods.Context != "" || s.Pods.Container != ""
	switch {
	case n == 0:
		return usage.Errorf("hosts needs a source of hosts\n" +
			"hint: --inventory FILE, --slurm JOB, --pods SELECTOR, or a FILE with a line NAME TYPE ZONE COMMAND for each host")
	case n > 1:
		return usage.Errorf("hosts takes one source of hosts, got %d\nhint: lists can be concatenated: plimsoll hosts … "+
			"--no-check >>all.hosts", n)
	case s.Limit != "" && len(s.Inventory) == 0:
		return usage.Errorf("--limit goes with --inventory\nhint: a list can be cut by any tool that cuts lines")
	case podFlags && s.Pods.Selector == "":
		return usage.Errorf("--namespace, --context and --container go with --pods\nhint: --pods app=plimsoll-holder " +
			"selects pods by their labels")
	case len(args) == 1:
		s.File = args[0]
	}
	return nil
}

// List returns the hosts, and notes about what could not be known of them. isType tells an instance type from other
// features of a node. Its errors are wrong usage, unless ctx has ended or a file could not be read (input.Failed).
func (s Source) List(ctx context.Context, isType func(string) bool) (hosts []hostlist.Host, notes []string, err error) {
	switch {
	case len(s.Inventory) > 0:
		hosts, err = s.ansible(ctx)
	case s.Slurm != "":
		hosts, err = s.slurm(ctx, isType)
	case s.Pods.Selector != "":
		hosts, notes, err = s.pods(ctx)
	default:
		hosts, err = Read(ctx, s.File, s.Stdin)
	}
	return hosts, notes, err
}

// Read reads a list of hosts from a file, or from stdin if path is "-". The error is wrong usage, unless the machine
// failed to read the file or ctx has ended.
func Read(ctx context.Context, path string, stdin io.Reader) ([]hostlist.Host, error) {
	if path == "-" {
		text, err := readAll(ctx, stdin)
		if err != nil {
			return nil, err
		}
		return hostlist.Parse("standard input", text)
	}
	text, err := input.ReadText(path, hostlist.MaxBytes)
	if err != nil {
		return nil,
			input.Wrap(fmt.Errorf("the list of hosts: %w\nhint: plimsoll hosts --inventory FILE prints one, as --slurm JOB "+
				"and --pods SELECTOR do", err))
	}
	return hostlist.Parse(path, text)
}

func readAll(ctx context.Context, stdin io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(input.Stoppable(ctx, stdin), hostlist.MaxBytes+1))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil || len(text) > hostlist.MaxBytes {
		return nil, usage.Errorf("the list of hosts on standard input is longer than %d KiB, or broke off\n"+
			"hint: plimsoll hosts … | plimsoll run … --hosts -", hostlist.MaxBytes>>10)
	}
	return text, nil
}

func (s Source) ansible(ctx context.Context) ([]hostlist.Host, error) {
	args := []string{"--list"}
	for _, i := range s.Inventory {
		if _, err := os.Stat(i); errors.Is(err, os.ErrNotExist) && !strings.Contains(i, ",") {
			return nil, usage.Errorf("--inventory %s: there is no such file\nhint: HOST1,HOST2, (with a comma) lists hosts in "+
				"place of a file", i)
		}
		args = append(args, "-i", i)
	}
	if s.Limit != "" {
		args = append(args, "--limit", s.Limit)
	}
	text, said, err := tool(ctx, "pip install ansible-core has it; plimsoll hosts FILE reads a list of your own",
		"ansible-inventory", args...)
	if err != nil {
		return nil, err
	}
	out, err := hostlist.Inventory(text)
	if err != nil {
		return nil, err
	}
	what := "--inventory " + strings.Join(s.Inventory, " --inventory ")
	if len(out) == 0 {
		if s.Limit != "" {
			what += " --limit " + s.Limit
		}
		return nil, usage.Errorf("%s: no host is in it, or matches: %s\nhint: ansible-inventory -i %s --graph shows "+
			"groups and hosts", what, said, s.Inventory[0])
	}
	return out, hostlist.Check(what, out, "--limit 'all:!NAME' leaves one out")
}

func (s Source) slurm(ctx context.Context, isType func(string) bool) ([]hostlist.Host, error) {
	const lacks = "it is part of Slurm's client commands (slurm-client); run this on a login node"
	text, _, err := tool(ctx, lacks, "scontrol", "show", "job", s.Slurm)
	if err != nil {
		return nil, err
	}
	job, err := hostlist.ReadJob(s.Slurm, text)
	if err != nil {
		return nil, err
	}
	names, _, err := tool(ctx, lacks, "scontrol", "show", "hostnames", job.Nodes)
	if err != nil {
		return nil, err
	}
	nodes, _, err := tool(ctx, lacks, "scontrol", "show", "node", job.Nodes)
	if err != nil {
		return nil, err
	}
	return hostlist.SlurmHosts(job, hostlist.Hostnames(names), nodes, isType)
}

func (s Source) pods(ctx context.Context) (hosts []hostlist.Host, notes []string, err error) {
	const lacks = "it is Kubernetes' client; https://kubernetes.io/docs/tasks/tools says how to install it"
	flags := s.Pods.Flags()
	pods, _, err := tool(ctx, lacks, "kubectl", append(flags, "get", "pods", "-l", s.Pods.Selector, "-o", "json")...)
	if err != nil {
		return nil, nil, err
	}
	nodes, _, err := tool(ctx, lacks, "kubectl", append(flags, "get", "nodes", "-o", "json")...)
	if ctx.Err() != nil {
		return nil, nil, err
	}
	if err != nil { // who may enter pods need not have the right to see nodes
		text, _ := usage.Parts(err)
		notes, nodes = []string{"types and zones are unknown: " + text}, nil
	}
	hosts, err = hostlist.Pods(s.Pods, pods, nodes)
	return hosts, notes, err
}

// Limits on a tool that lists machines: dynamic inventories ask clouds.
const (
	toolTime = 2 * time.Minute
	toolMost = 256 << 20 // bytes of output
)

// tool returns what a command prints, and the end of what it said beside that. The error is wrong usage.
func tool(ctx context.Context, lacks, name string, args ...string) (text []byte, said string, err error) {
	if _, err := exec.LookPath(name); err != nil {
		return nil, "", usage.Errorf("%s is not in the PATH\nhint: %s", name, lacks)
	}
	limited, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	cmd := exec.CommandContext(limited, name, args...)
	cmd.WaitDelay = time.Second
	out, words := &bounded{most: toolMost}, &process.LastWords{}
	cmd.Stdout, cmd.Stderr = out, words
	err = cmd.Run()
	line := strings.Join(append([]string{name}, args...), " ")
	switch {
	case ctx.Err() != nil:
		return nil, "", fmt.Errorf("%s: %w", line, context.Cause(ctx))
	case limited.Err() != nil:
		return nil, "", usage.Errorf("%s: no end after %v\nhint: it must end by itself, without asking anything", line,
			toolTime)
	case err != nil:
		return nil, "", usage.Errorf("%s: %v: %s\nhint: it must work by itself on a command line", line, err,
			saying(words.String()))
	case out.over:
		return nil, "", usage.Errorf("%s: it printed more than %d MiB\nhint: select fewer hosts", line, toolMost>>20)
	}
	return out.Bytes(), saying(words.String()), nil
}

// saying returns the last lines of what a command said, as one.
func saying(said string) string {
	const lines = 4
	all := strings.FieldsFunc(said, func(r rune) bool { return r == '\n' || r == '\r' })
	return strings.Join(strings.Fields(strings.Join(all[max(0, len(all)-lines):], "; ")), " ")
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	bytes.Buffer
	most int
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	keep := min(len(p), b.most-b.Len())
	b.over = b.over || keep < len(p)
	b.Buffer.Write(p[:keep])
	return len(p), nil
}

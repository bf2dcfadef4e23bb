// Plimsoll measures a machine's capacity and its cost per unit of work.
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"plimsoll/internal/base/build"
	"plimsoll/internal/client/netload"
	"plimsoll/internal/engine/asyncprofiler"
	"plimsoll/internal/engine/embedded"
	"plimsoll/internal/engine/perf"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/present/completion"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/run/agent"
	"plimsoll/internal/run/detached"
	"plimsoll/internal/workload/all"
)

func main() {
	os.Exit(start(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

// start is main with its environment passed in; it returns the exit code.
func start(args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	if len(args) == 1 && args[0] == "agent" {
		return serveAgent(stdin, stdout, stderr)
	}
	if len(args) > 0 && args[0] == embedded.Verb {
		return embedded.Main(args[1:], stderr)
	}
	if len(args) > 0 && args[0] == netload.Verb {
		return netload.Main(args[1:], stderr)
	}
	if len(args) == 1 && args[0] == detached.RelayVerb {
		relayed, err := detached.Relayed(stdin)
		if err != nil {
			io.WriteString(stderr, "plimsoll: "+err.Error()+"\n")
			return exitUsage
		}
		args, stdin = relayed, strings.NewReader("")
		defer detached.Beat(stderr)()
	}
	checked := &checkedWriter{w: stdout}
	stdout = checked
	if len(args) == 1 && args[0] == versionVerb { // to set up all verbs takes longer
		return printVersion(checked, term.Screened(stderr))
	}
	a := &app{stdin: stdin, stdout: stdout, said: term.Screened(stdout), stderr: term.Screened(stderr),
		terminal: stderr, env: env, agent: newAgent(), words: args}
	root := a.root()
	known := completion.Known{Workloads: a.agent.Workloads, Catalogue: a.catalogue}
	if err := known.Add(root, args); err != nil {
		return a.exit(err)
	}
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(context.Background())
	if failed := checked.failure(); err == nil && failed != nil {
		err = fmt.Errorf("standard output: %w", failed)
	}
	return a.exit(err)
}

// checkedWriter keeps the first error of writing, so that no verb has to check each of its sentences.
type checkedWriter struct {
	w   io.Writer
	mu  sync.Mutex
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = cmp.Or(c.err, err)
	return n, err
}

// Fd returns the descriptor of the file that is written to, by which a terminal is known; none if it is no file.
func (c *checkedWriter) Fd() uintptr {
	if f, ok := c.w.(*os.File); ok {
		return f.Fd()
	}
	return ^uintptr(0)
}

func (c *checkedWriter) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// serveAgent runs the hidden verb `agent`. It precedes the command line's own setup so that a trial's child starts in a
// few milliseconds.
func serveAgent(stdin io.Reader, stdout, stderr io.Writer) int {
	if err := newAgent().Serve(stdin, stdout); err != nil {
		io.WriteString(stderr, "plimsoll agent: "+err.Error()+"\n")
		return 1
	}
	return 0
}

func newAgent() agent.Agent {
	return agent.Agent{Workloads: all.All(), Version: build.Of(version).Version, Root: hostfs.System(),
		Sampler: perf.Profiler{}, JVMSampler: asyncprofiler.Profiler{}}
}

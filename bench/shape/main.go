// Command shape reports how large the tree is and how it is cut: a report for whoever reads a change, which fails
// nothing. A part that cannot be had says why.
//
//	go run ./bench/shape [--since COMMIT] [--times FILE] [--names] [DIR]
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

type options struct {
	dir, since, times string
	names             bool
}

func main() {
	var o options
	flag.StringVar(&o.since, "since", "", "show the change of each figure since this `commit`")
	flag.StringVar(&o.times, "times", ".tools/test.json", "the output of go test -json, a `file`")
	flag.BoolVar(&o.names, "names", false, "list the exported names without use, and the functions used once")
	flag.Parse()
	o.dir = "."
	if flag.NArg() > 0 {
		o.dir = flag.Arg(0)
	}
	// An interrupt ends what was started, and removes the tree of the earlier commit.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	report(ctx, os.Stdout, o)
}

// report writes all parts that can be had.
func report(ctx context.Context, w io.Writer, o options) {
	now, err := measure(ctx, o.dir)
	if err != nil {
		fmt.Fprintf(w, "shape: %v\n", err)
		return
	}
	var before *figures
	if o.since != "" {
		if before, err = measureCommit(ctx, o.dir, o.since); err != nil {
			fmt.Fprintf(w, "no change since %s: %v\n\n", o.since, err)
		}
	}
	t := table{w: w, now: now, before: before, since: o.since}
	t.topics()
	t.counts()
	t.largest()
	if o.names {
		t.names()
	}
	writeTimes(w, o.times, now.module)
}

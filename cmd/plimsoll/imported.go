package main

import (
	"context"
	"fmt"

	"plimsoll/internal/convert"
	"plimsoll/internal/convert/gather"
	"plimsoll/internal/convert/into"
	"plimsoll/internal/figure"
)

// take writes the results to a session, all of them or none.
func (a *app) take(ctx context.Context, path string, batches []*convert.Batch) error {
	failed, notices, err := into.Session(ctx, path, batches, randomName)
	for _, b := range batches {
		for _, unread := range b.Unread {
			fmt.Fprintf(a.stderr, "plimsoll: %s: %s\n", b.Source.File, unread)
		}
	}
	for _, n := range notices {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", n)
	}
	if err == nil {
		a.tellBatches(batches, failed)
	}
	return err
}

// maxTold bounds the files that are listed one by one.
const maxTold = 30

// tellBatches prints the imported trials of each input.
func (a *app) tellBatches(batches []*convert.Batch, voids []into.Failed) {
	for i, b := range batches {
		if i == maxTold && len(batches) > maxTold+1 {
			fmt.Fprintf(a.said, "and %d more files\n", len(batches)-i)
			return
		}
		names := b.Machines()
		of := figure.Count(len(names), "machine")
		if len(names) == 1 {
			of = names[0]
		}
		fmt.Fprintf(a.said, "%s: %s of %s (%s)%s\n", b.Source.File, figure.Count(b.Len(), "run"), of, b.Source.Format,
			voids[i])
	}
}

// tellImported prints the files that were passed over and the next commands.
func (a *app) tellImported(path string, batches []*convert.Batch, found gather.Found) {
	machines := map[string]bool{}
	for _, b := range batches {
		for _, name := range b.Machines() {
			machines[name] = true
		}
	}
	if passed := found.PassedOver(); passed != "" {
		fmt.Fprintln(a.said, passed)
	}
	fmt.Fprintf(a.said, "saved in %s\nnext: plimsoll show %s\n", path, quoted(path))
	if len(machines) > 1 {
		fmt.Fprintf(a.said, "      plimsoll compare %s\n", quoted(path))
	}
}

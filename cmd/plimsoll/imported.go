package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/exchange/convert/gather"
	"plimsoll/internal/exchange/convert/into"
	"plimsoll/internal/record/figure"
)

// take writes the results to a session, each input as a whole or, if it does not fit, not at all.
func (a *app) take(ctx context.Context, path string, read *imported) error {
	ctx, stop := untilSignal(ctx)
	defer stop()
	done, err := into.Session(ctx, path, read.batches, randomName)
	for _, b := range read.batches {
		for _, unread := range b.Unread {
			fmt.Fprintf(a.stderr, "plimsoll: %s: %s\n", b.Source.File, unread)
		}
	}
	for _, n := range done.Notices {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", n)
	}
	if err != nil {
		return err
	}
	for _, r := range done.Refused {
		in := read.of[r.Batch]
		why := strings.TrimPrefix(r.Why.Error(), r.Batch.Source.File+": ")
		read.unread = append(read.unread, gather.Unread{Path: in.Path, Why: usage.Errorf("%s: %s", in.Path, why),
			Named: in.Named})
	}
	read.done = done
	a.tellBatches(done.Written, done.Failed)
	return nil
}

// nothingRead prints why nothing that was found can be read, and returns an error.
func (a *app) nothingRead(unread []gather.Unread) error {
	if len(unread) == 1 {
		return unread[0].Why
	}
	a.tellNotRead(unread)
	return usagef("nothing is imported: none of %s can be read", figure.Count(len(unread), "file"))
}

func (a *app) tellNotRead(unread []gather.Unread) {
	for _, text := range notRead(unread) {
		fmt.Fprintf(a.stderr, "plimsoll: %s\n", text)
	}
}

// tellUnread prints what was not read, and returns an error if that was given by name.
func (a *app) tellUnread(unread []gather.Unread) error {
	a.tellNotRead(unread)
	var named []string
	for _, u := range unread {
		if u.Named {
			named = append(named, u.Path)
		}
	}
	if len(named) == 0 {
		return nil
	}
	return usagef("not imported: %s; the others are", strings.Join(named[:min(len(named), maxTold)], ", "))
}

// notRead returns a text for each reason not to read files, with these.
func notRead(unread []gather.Unread) []string {
	var order []string
	of := map[string][]string{}
	for _, u := range unread {
		why := u.Text()
		if of[why] == nil {
			order = append(order, why)
		}
		of[why] = append(of[why], u.Path)
	}
	var out []string
	for _, why := range order {
		names := of[why]
		if more := len(names) - maxTold; more > 0 {
			names = append(slices.Clone(names[:maxTold]), fmt.Sprintf("%d more", more))
		}
		out = append(out, fmt.Sprintf("not read: %s: %s", strings.Join(names, ", "), why))
	}
	return out
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
		if b.Source.Source != "" {
			fmt.Fprintf(a.said, "  its figures are from %s\n", b.Source.Source)
		}
	}
}

// tellImported prints the files that were passed over and the next commands.
func (a *app) tellImported(path string, read imported, found gather.Found) {
	machines := map[string]bool{}
	for _, b := range read.done.Written {
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

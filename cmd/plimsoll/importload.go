package main

import (
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/exchange/convert/gather"
	"plimsoll/internal/record"
)

// givenLoads are the loads of --load, for files that state none.
type givenLoads struct {
	all    record.LoadPoint // without a kind: none is given for all
	text   string           // of it
	forAll bool
	named  []namedLoad
}

// namedLoad is the load for the files of a name.
type namedLoad struct {
	name string // a file's name or path, a pattern of these, or a format
	load record.LoadPoint
}

// givenLoads parses the loads. An error is for one that is wrong, or that is for none of the inputs.
func (o importOptions) givenLoads(inputs []gather.Input) (givenLoads, error) {
	var out givenLoads
	for _, text := range o.loads {
		name, rest, named := strings.Cut(text, "=")
		if load, err := convert.GivenLoad(rest); named && !slices.Contains(convert.LoadKinds(), name) && err == nil {
			one := namedLoad{name, load}
			if !slices.ContainsFunc(inputs, one.isFor) {
				return out, usagef("--load %s: there is no result %s\nhint: FILE=LOAD, with FILE one of %s, or %s", text, name,
					strings.Join(inputNames(inputs), ", "), "N, cpus=N or rate=N for all")
			}
			out.named = append(out.named, one)
			continue
		}
		load, err := convert.GivenLoad(text)
		if err != nil {
			return out, usagef("--load %s: %v", text, err)
		}
		if out.forAll && out.all != load {
			return out, usagef("--load is given as %s and as %s\nhint: --load FILE=%s is for one file", out.text, text, text)
		}
		out.all, out.text, out.forAll = load, text, true
	}
	return out, nil
}

// mostNames bounds the files that a hint lists.
const mostNames = 5

func inputNames(inputs []gather.Input) []string {
	names := list.Map(inputs, func(in gather.Input) string { return filepath.Base(in.Path) })
	if len(names) > mostNames {
		names = append(names[:mostNames:mostNames], "…")
	}
	return names
}

// isFor reports whether a load is for an input.
func (l namedLoad) isFor(in gather.Input) bool {
	for _, name := range []string{in.Path, in.Name, filepath.Base(in.Path), in.Format.Name} {
		if ok, err := filepath.Match(l.name, name); name == l.name || ok && err == nil {
			return true
		}
	}
	return false
}

// of returns the load for an input: the last that names it, else the one for all, which fills what others do not state.
func (g givenLoads) of(in gather.Input) (l record.LoadPoint, fill bool) {
	for _, l := range slices.Backward(g.named) {
		if l.isFor(in) {
			return l.load, false
		}
	}
	return g.all, true
}

// ofSeveral returns the error of an input without a load, with the option that is for its format alone.
func ofSeveral(in gather.Input, err error) error {
	if err == nil || !convert.LacksLoad(err) {
		return err
	}
	return usagef("%s", strings.ReplaceAll(err.Error(), "--load ", "--load "+in.Format.Name+"="))
}

// used returns an error if a load for all is of no use: every input states another.
func (g givenLoads) used(batches []*convert.Batch) error {
	if !g.forAll || slices.ContainsFunc(batches, (*convert.Batch).LoadTaken) ||
		!slices.ContainsFunc(batches, (*convert.Batch).LoadDiffers) {
		return nil
	}
	return usagef("--load %s: each of the files states another load\nhint: leave out --load, which is for files without "+
		"a load", g.text)
}

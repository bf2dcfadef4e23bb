package main

import (
	"context"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/all"
	"plimsoll/internal/present/render"
)

// engines returns which of the listed engines are installed, with every parameter at its default.
func engines(ctx context.Context, listed func(string) bool) []render.ListedEngine {
	out := []render.ListedEngine{}
	for _, e := range all.Findables() {
		if !listed(e.Name()) {
			continue
		}
		l := render.ListedEngine{Name: e.Name(), Doc: e.Doc(), Params: e.Params()}
		if in, err := engine.FindDefault(ctx, e); err == nil {
			f := foundEngine(in)
			l.Found = &f
		} else {
			l.Problem = err.Error()
		}
		out = append(out, l)
	}
	return out
}

func foundEngine(in engine.Install) render.FoundEngine {
	f := render.FoundEngine{Name: in.Name, Version: in.Version, Path: in.Path, From: in.From}
	for _, u := range in.Uses {
		f.Uses = append(f.Uses, foundEngine(u))
	}
	return f
}

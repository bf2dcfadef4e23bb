package web

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/engine"
	engines "plimsoll/internal/engine/all"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// names are the engines that can be the server.
func names() []string {
	var out []string
	for _, e := range engines.Webs() {
		out = append(out, e.Name())
	}
	return out
}

// needs are those of them that have to be set up.
func needs() []string {
	var out []string
	for _, e := range engines.Webs() {
		if _, ok := e.(engine.Setup); ok {
			out = append(out, e.Name())
		}
	}
	return out
}

// engineOf is the engine that the values ask for, with what of them is for it.
func engineOf(p workload.Params) (engine.Web, engine.Params, error) {
	asked := p.Text(paramServer)
	at := slices.IndexFunc(engines.Webs(), func(e engine.Web) bool { return e.Name() == asked })
	if at < 0 {
		return nil, engine.Params{}, fmt.Errorf("%s: server=%s cannot be started\nhint: --set %s.%s=NAME, one of %s", Name, asked, Name, paramServer, strings.Join(names(), ", "))
	}
	e := engines.Webs()[at]
	params, err := engine.ParamsOf(e, "", p.Text, nil)
	if err != nil {
		return nil, params, fmt.Errorf("%s: %w", Name, err)
	}
	return e, params, nil
}

// look says that the engine asked for is not on this host.
func preflight(ctx context.Context, p workload.Params, _ string) error {
	if p.Text(paramServer) == serverURL {
		return nil
	}
	e, params, err := engineOf(p)
	if err != nil {
		return err
	}
	_, err = e.Find(ctx, params)
	return err
}

// engineParams are what the engines can be told: what all have, then what some have. A seed is not among them:
// it is the trial's own.
func engineParams() []record.Param {
	var out []record.Param
	for _, e := range engines.Webs() {
		for _, d := range e.Params() {
			known := slices.ContainsFunc(out, func(o record.Param) bool { return o.Name == d.Name })
			if known || d.Name == engine.ParamSeed {
				continue
			}
			if !common(d) {
				d.Doc = "of server=" + e.Name() + ": " + d.Doc
			}
			d.Minor = true
			out = append(out, d)
		}
	}
	return out
}

func common(d record.Param) bool {
	return slices.ContainsFunc(engine.WebParams(), func(o record.Param) bool { return o.Name == d.Name })
}

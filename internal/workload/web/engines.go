package web

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/engine"
	engines "plimsoll/internal/engine/all"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// names returns the engines that can be the server.
func names() []string {
	return list.Map(engines.Webs(), func(e engine.Web) string { return e.Name() })
}

// needs returns those of them that have to be set up.
func needs() []string {
	var out []string
	for _, e := range engines.Webs() {
		if _, ok := e.(engine.Setup); ok {
			out = append(out, e.Name())
		}
	}
	return out
}

// engineOf returns the chosen engine and its parameters.
func engineOf(p workload.Params) (engine.Web, engine.Params, error) {
	asked := p.Text(paramServer)
	at := slices.IndexFunc(engines.Webs(), func(e engine.Web) bool { return e.Name() == asked })
	if at < 0 {
		return nil, engine.Params{}, fmt.Errorf("%s: server=%s cannot be started\nhint: "+
			"--set %s.%s=NAME, one of %s", Name, asked, Name, paramServer, strings.Join(names(), ", "))
	}
	e := engines.Webs()[at]
	params, err := engine.ParamsOf(e, "", p.Text, nil)
	if err != nil {
		return nil, params, fmt.Errorf("%s: %w", Name, err)
	}
	return e, params, nil
}

// preflight returns an error if the chosen engine is not on this host.
func preflight(ctx context.Context, p workload.Params, _ string) error {
	if p.Text(paramServer) == serverURL {
		return nil
	}
	e, params, err := engineOf(p)
	if err != nil {
		return err
	}
	if _, err = e.Find(ctx, params); err != nil && p.Text(paramServer) == serverUsual {
		return fmt.Errorf("%w; plimsoll run %s URL measures a running server", err, Name)
	}
	return err
}

// engineParams returns the parameters of the engines: the common ones, then those of single engines. A seed is not
// among them: it is the trial's own.
func engineParams() []record.Param {
	var out []record.Param
	for _, e := range engines.Webs() {
		for _, d := range e.Params() {
			known := slices.ContainsFunc(out, func(o record.Param) bool { return o.Name == d.Name })
			if known || d.Name == engine.ParamSeed {
				continue
			}
			if !common(d) {
				d.Doc = "for server=" + e.Name() + ": " + d.Doc
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

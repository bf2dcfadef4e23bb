package postgres

import (
	"context"
	"fmt"
	"strconv"

	"plimsoll/internal/engine"
)

// What a new cluster has where nothing is set.
const (
	stockConnections = 100
	// StockReserved is how many of them only superusers get.
	StockReserved = 3
)

// MaxConnections is how many clients a server with these parameters lets in, those that only superusers get included.
func MaxConnections(p engine.Params) (int, error) {
	all, err := effective(p)
	if err != nil {
		return 0, err
	}
	n := stockConnections
	for _, s := range all {
		if s.name != "max_connections" {
			continue
		}
		if n, err = strconv.Atoi(s.value); err != nil || n < 1 {
			return 0, fmt.Errorf("%s: max_connections = %s is no number of connections\nhint: a whole number of 1 or more, in %s", name, s.value, ParamSettings)
		}
	}
	return n, nil
}

// effective are the preset's settings and those that were asked for, in this order: later ones win.
func effective(p engine.Params) ([]setting, error) {
	own, err := parseSettings(p.Text(ParamSettings))
	if err != nil {
		return nil, err
	}
	preset, err := presetSettings(p.Text(ParamPreset))
	return append(preset, own...), err
}

// Reaches says why a server that is started here cannot work in a directory; nil where nothing is against it.
func Reaches(dir string) error {
	as, err := unprivileged()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := engine.MayEnter(dir, as); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Adjust brings a cluster that no server runs on to what the settings ask for: its user, and its checksums.
func (Engine) Adjust(ctx context.Context, in engine.Install, s engine.Settings) error {
	if _, err := newCluster(ctx, in, s); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

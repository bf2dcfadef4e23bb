package postgres

import (
	"context"
	"fmt"
	"strconv"

	"plimsoll/internal/engine"
)

// The defaults of a new cluster.
const (
	stockConnections = 100
	// StockReserved is the number of them reserved for superusers.
	StockReserved = 3
)

// MaxConnections returns the limit of connections of a server with these parameters, including those reserved for
// superusers.
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
			return 0, fmt.Errorf("%s: max_connections = %s is not a number of connections\nhint: a whole number of "+
				"1 or more, in %s", name, s.value, ParamSettings)
		}
	}
	return n, nil
}

// effective returns the preset's settings and the user's, in this order: later ones win.
func effective(p engine.Params) ([]setting, error) {
	own, err := parseSettings(p.Text(ParamSettings))
	if err != nil {
		return nil, err
	}
	preset, err := presetSettings(p.Text(ParamPreset))
	return append(preset, own...), err
}

// Reaches returns an error if a server started here cannot work in a directory.
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

// Adjust adapts a stopped cluster to the settings: its user, and its checksums.
func (Engine) Adjust(ctx context.Context, in engine.Install, s engine.Settings) error {
	if _, err := newCluster(ctx, in, s); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

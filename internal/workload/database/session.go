package database

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/workload"
)

// ofSessions returns the settings that each connection of the load to a server that is there begins with, by name:
// those that no command brings into force for the whole server.
func ofSessions(p workload.Params) map[string]string {
	if p.Text(ParamServer) != ServerDSN || p.Text(paramApply) != "" {
		return nil
	}
	all, err := postgres.Named(p.Text(postgres.ParamSettings))
	if err != nil {
		return nil // which checkApply tells
	}
	return all
}

// preflightSessions returns an error if the role's connections cannot begin with these settings.
func preflightSessions(ctx context.Context, dsn string, wanted map[string]string, now map[string]inForce) error {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		takes := ""
		switch now[name].context {
		case "postmaster":
			takes = "a restart"
		case "sighup":
			takes = "a reload"
		default:
			continue
		}
		return fmt.Errorf("%s takes %s of the server, so that no connection can set it for itself\n"+
			"hint: --%s 'COMMAND', which "+
			"gets the settings in $%s", name, takes, paramApply, settingsVar)
	}
	c, err := connect(ctx, dsn, wanted)
	if err != nil {
		return fmt.Errorf("connections with these settings: %w", err)
	}
	defer c.Close(context.WithoutCancel(ctx))
	return shows(ctx, c, wanted)
}

// shows returns an error if a connection does not have the settings with which it began: a pooler may drop them.
func shows(ctx context.Context, c *pgx.Conn, wanted map[string]string) error {
	if len(wanted) == 0 {
		return nil
	}
	now, err := settingsOf(ctx, c, slices.Collect(maps.Keys(wanted)))
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if s, ok := now[name]; !ok || !s.is(wanted[name]) {
			return fmt.Errorf("%s is %s in a connection that began with %s\n"+
				"hint: does a pooler drop it? --%s 'COMMAND' sets it for "+
				"the server", name, s.shown, wanted[name], paramApply)
		}
	}
	return nil
}

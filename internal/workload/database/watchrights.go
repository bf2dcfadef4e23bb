package database

import (
	"errors"
	"fmt"

	"plimsoll/internal/client/pgload"
)

// probe reads each view once, and leaves out those that fail: a right that the role lacks costs the figures behind it
// only.
func (w *watcher) probe() error {
	failed := new(*pgload.Failed)
	err := w.conn.Simple(w.catalog.countersQuery(), nil)
	if err != nil && !errors.As(err, failed) {
		return err
	}
	if err != nil {
		if err := w.probeEach(); err != nil {
			return err
		}
	}
	return w.noteRights()
}

// probeEach finds the views that fail.
func (w *watcher) probeEach() error {
	failed := new(*pgload.Failed)
	for _, v := range w.catalog.views() {
		err := w.conn.Simple(viewQuery(v), nil)
		if err == nil {
			continue
		}
		if !errors.As(err, failed) {
			return err
		}
		for i := range v.columns {
			w.catalog.unread[i] = true
		}
		w.rights = append(w.rights, fmt.Sprintf("not read from the server: %s: %v", v.figures, err))
	}
	return nil
}

// noteRights notes what the role, or the server's settings, hide. It also reads the connection's application_name: the
// DSN may have set one.
func (w *watcher) noteRights() error {
	var role string
	err := w.conn.Simple("select quote_ident(current_user), current_setting('application_name')",
		func(_ int, columns [][]byte) error {
			role = string(columns[0])
			w.name.Bytes(columns[1])
			return nil
		})
	if err != nil {
		return err
	}
	if !w.catalog.all {
		w.rights = append(w.rights,
			fmt.Sprintf("the role %s lacks pg_monitor: hidden are other roles' backends and what they "+
				"wait for, autovacuum, and settings for superusers; wait shares are of this role's own backends\nhint: GRANT "+
				"pg_monitor TO %s", role, role))
	}
	if w.catalog.blind {
		w.rights = append(w.rights,
			"track_activities is off: no wait shares\nhint: ALTER ROLE "+role+" SET track_activities = on")
	}
	if w.catalog.uncounted {
		w.rights = append(w.rights, "track_counts is off: no transactions, blocks or deadlocks of the server\n"+
			"hint: ALTER ROLE "+role+" SET track_counts = on")
	}
	return nil
}

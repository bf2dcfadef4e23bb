package database

import (
	"fmt"
	"strings"

	"plimsoll/internal/pgload"
	"plimsoll/internal/record"
)

// catalog lists the views that differ between versions: it checks for them by name, since a fork's version number
// says little.
type catalog struct {
	version      int  // as in server_version_num
	wal          bool // pg_stat_wal: from 14
	io           bool // pg_stat_io: from 16
	ioBytes      bool // pg_stat_io counts writes in bytes: from 18
	checkpointer bool // pg_stat_checkpointer: from 17
	pid          int  // of our backend
	database     int  // its object ID
}

const catalogQuery = `select current_setting('server_version_num')::int,
 (to_regclass('pg_catalog.pg_stat_wal') is not null)::int,
 (to_regclass('pg_catalog.pg_stat_io') is not null)::int,
 (exists (select from pg_catalog.pg_attribute where attrelid = to_regclass('pg_catalog.pg_stat_io') and attname = 'write_bytes'))::int,
 (to_regclass('pg_catalog.pg_stat_checkpointer') is not null)::int,
 pg_backend_pid(),
 (select oid from pg_catalog.pg_database where datname = current_database())::bigint`

// catalogOf queries a server.
func catalogOf(c *pgload.Conn) (catalog, error) {
	var n [7]int64
	err := c.Simple(catalogQuery, func(_ int, columns [][]byte) error { return numbers(columns, n[:]) })
	if err != nil {
		return catalog{}, fmt.Errorf("query the statistics views: %w", err)
	}
	return catalog{int(n[0]), n[1] == 1, n[2] == 1, n[3] == 1, n[4] == 1, int(n[5]), int(n[6])}, nil
}

// The counters of one sample, in the order of the query's columns.
const (
	countWAL = iota
	countImages
	countCommits
	countRollbacks
	countRead
	countHit
	countDeadlocks
	countTemp
	countTimed
	countRequested
	countByCheckpointer
	countByBackground
	countByBackends
	placeOfCheckpoint // in the log, of the last completed one: no counter
	counters
)

// countersQuery returns the query for one row of all counters since the server's start; counters that a version
// lacks are 0.
func (c catalog) countersQuery() string {
	images, from := "0", ""
	if c.wal {
		images, from = "w.wal_fpi", ", pg_catalog.pg_stat_wal w"
	}
	timed, requested, byCheckpointer := "b.checkpoints_timed", "b.checkpoints_req", "b.buffers_checkpoint"
	if c.checkpointer {
		timed, requested, byCheckpointer = "p.num_timed", "p.num_requested", "p.buffers_written"
		from += ", pg_catalog.pg_stat_checkpointer p"
	}
	columns := []string{
		"pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint", images,
		"d.xact_commit", "d.xact_rollback", "d.blks_read", "d.blks_hit", "d.deadlocks", "d.temp_bytes",
		timed, requested, byCheckpointer, "b.buffers_clean", c.byBackends(),
		"pg_wal_lsn_diff(c.checkpoint_lsn, '0/0')::bigint",
	}
	return "select " + strings.Join(columns, ", ") +
		" from pg_catalog.pg_stat_database d, pg_catalog.pg_stat_bgwriter b, pg_catalog.pg_control_checkpoint() c" + from +
		fmt.Sprintf(" where d.datid = %d", c.database)
}

// byBackends returns the expression for blocks written by backends themselves, new ones included: from 17 on only
// pg_stat_io has it.
func (c catalog) byBackends() string {
	switch {
	case !c.checkpointer:
		return "b.buffers_backend"
	case !c.io:
		return "0"
	}
	written := "coalesce(writes, 0) + coalesce(extends, 0)"
	if c.ioBytes {
		written = "(coalesce(write_bytes, 0) + coalesce(extend_bytes, 0)) / current_setting('block_size')::int"
	}
	return "(select coalesce(sum(" + written + "), 0)::bigint from pg_catalog.pg_stat_io where backend_type = 'client backend' and object = 'relation')"
}

// activityQuery returns the query for the activity of the processes that work on the database: the number of each
// kind in each state. The function under pg_stat_activity avoids two joins.
func (c catalog) activityQuery() string {
	return fmt.Sprintf(`select (backend_type = 'autovacuum worker')::int, coalesce(state, ''), coalesce(wait_event_type, ''), coalesce(wait_event, ''),
 case backend_type when 'autovacuum worker' then left(query, %d) else '' end, count(*)
 from pg_catalog.pg_stat_get_activity(null)
 where datid = %d and pid <> %d and backend_type in ('client backend', 'parallel worker', 'autovacuum worker')
 group by 1, 2, 3, 4, 5`, longestQuery, c.database, c.pid)
}

// longestQuery bounds the kept part of an autovacuum worker's query, in characters.
const longestQuery = 120

// numbers parses a row of whole numbers; a null is 0.
func numbers(columns [][]byte, to []int64) error {
	if len(columns) != len(to) {
		return fmt.Errorf("%d columns, expected %d", len(columns), len(to))
	}
	for i, text := range columns {
		n, ok := whole(text)
		if !ok {
			return fmt.Errorf("column %d is %.40q, not a whole number", i+1, text)
		}
		to[i] = n
	}
	return nil
}

// whole parses a whole number without allocating.
func whole(text []byte) (int64, bool) {
	digits, sign := text, int64(1)
	if len(text) > 0 && text[0] == '-' {
		digits, sign = text[1:], -1
	}
	if len(digits) > 18 || len(digits) == 0 && len(text) > 0 {
		return 0, false
	}
	n := int64(0)
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = 10*n + int64(d-'0')
	}
	return sign * n, true
}

// classOf returns the class of a backend's activity. A backend between two transactions waits for its client even
// before it reports so.
func classOf(state, kind, event string) string {
	switch {
	case kind == "Client":
		return record.WaitClient
	case kind == "" && (state == "active" || state == "fastpath function call"):
		return record.WaitCPU
	case kind == "":
		return record.WaitClient
	case len(event) >= 3 && strings.EqualFold(event[:3], "wal") && (kind == "IO" || kind == "LWLock"):
		return record.WaitWAL
	case kind == "IO":
		return record.WaitIO
	case kind == "Lock":
		return record.WaitLock
	case kind == "LWLock" || kind == "BufferPin" || kind == "Buffer":
		return record.WaitLWLock
	}
	return record.WaitOther
}

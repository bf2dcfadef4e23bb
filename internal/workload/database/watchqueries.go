package database

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/client/pgload"
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
	all          bool // our role may read other roles' statistics
	blind        bool // the server does not track backends' activity
	uncounted    bool // nor count transactions and blocks

	unread [counters]bool // counters that the role may not read, or that this server cannot answer
}

//nolint:lll // a raw string
const catalogQuery = `select current_setting('server_version_num')::int,
 (to_regclass('pg_catalog.pg_stat_wal') is not null)::int,
 (to_regclass('pg_catalog.pg_stat_io') is not null)::int,
 (exists (select from pg_catalog.pg_attribute where attrelid = to_regclass('pg_catalog.pg_stat_io') and attname = 'write_bytes'))::int,
 (to_regclass('pg_catalog.pg_stat_checkpointer') is not null)::int,
 pg_backend_pid(),
 (select oid from pg_catalog.pg_database where datname = current_database())::bigint,
 pg_has_role(current_user, 'pg_read_all_stats', 'usage')::int,
 current_setting('track_activities')::bool::int, current_setting('track_counts')::bool::int`

// catalogOf queries a server.
func catalogOf(c *pgload.Conn) (catalog, error) {
	var n [10]int64
	err := c.Simple(catalogQuery, func(_ int, columns [][]byte) error { return numbers(columns, n[:]) })
	if err != nil {
		return catalog{}, fmt.Errorf("query the statistics views: %w", err)
	}
	return catalog{
		version: int(n[0]), wal: n[1] == 1, io: n[2] == 1, ioBytes: n[3] == 1, checkpointer: n[4] == 1, pid: int(n[5]),
		database: int(n[6]),
		all:      n[7] == 1, blind: n[8] == 0, uncounted: n[9] == 0,
	}, nil
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

// view is one source of counters, which a role may lack the right to read.
type view struct {
	figures string // that it has, for notes
	from    string // relation and where it is in the query; "": expressions only
	columns map[int]string
}

// views returns the sources of all counters that the version has, of one row each.
func (c catalog) views() []view {
	out := []view{
		{"the WAL's position", "", map[int]string{countWAL: "pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"}},
		{"transactions, blocks, deadlocks and temporary files",
			fmt.Sprintf("(select * from pg_catalog.pg_stat_database where datid = %d) d", c.database), map[int]string{
				countCommits: "d.xact_commit", countRollbacks: "d.xact_rollback", countRead: "d.blks_read", countHit: "d.blks_hit",
				countDeadlocks: "d.deadlocks", countTemp: "d.temp_bytes",
			}},
		{"the end of checkpoints", "pg_catalog.pg_control_checkpoint() c",
			map[int]string{placeOfCheckpoint: "pg_wal_lsn_diff(c.checkpoint_lsn, '0/0')::bigint"}},
		{"blocks written by backends", "", map[int]string{countByBackends: c.byBackends()}},
	}
	if c.wal {
		out = append(out, view{"full-page images", "pg_catalog.pg_stat_wal w", map[int]string{countImages: "w.wal_fpi"}})
	}
	if c.checkpointer {
		return append(out,
			view{"checkpoints", "pg_catalog.pg_stat_checkpointer p", map[int]string{
				countTimed: "p.num_timed", countRequested: "p.num_requested", countByCheckpointer: "p.buffers_written",
			}},
			view{"blocks written by the background writer", "pg_catalog.pg_stat_bgwriter b",
				map[int]string{countByBackground: "b.buffers_clean"}})
	}
	return append(out, view{"checkpoints", "pg_catalog.pg_stat_bgwriter b", map[int]string{
		countTimed: "b.checkpoints_timed", countRequested: "b.checkpoints_req", countByCheckpointer: "b.buffers_checkpoint",
		countByBackground: "b.buffers_clean",
	}})
}

// read reports whether a view's counters can be read.
func (c catalog) read(v view) bool {
	for i := range v.columns {
		if c.unread[i] {
			return false
		}
	}
	return true
}

// countersQuery returns the query for one row of all counters since the server's start; those that a version lacks, or
// that cannot be read, are 0.
func (c catalog) countersQuery() string {
	columns, from := slices.Repeat([]string{"0"}, counters), []string{}
	for _, v := range c.views() {
		if !c.read(v) {
			continue
		}
		for i, expression := range v.columns {
			columns[i] = expression
		}
		if v.from != "" {
			from = append(from, v.from)
		}
	}
	query := "select " + strings.Join(columns, ", ")
	if len(from) > 0 {
		query += " from " + strings.Join(from, ", ")
	}
	return query
}

// viewQuery returns a query that fails if a view cannot be read.
func viewQuery(v view) string {
	query := "select " + strings.Join(slices.Collect(maps.Values(v.columns)), ", ")
	if v.from != "" {
		query += " from " + v.from
	}
	return query
}

// byBackends returns the expression for blocks written by backends themselves, new ones included: from 17 on only
// pg_stat_io has it.
func (c catalog) byBackends() string {
	switch {
	case !c.checkpointer:
		return "(select buffers_backend from pg_catalog.pg_stat_bgwriter)"
	case !c.io:
		return "0"
	}
	written := "coalesce(writes, 0) + coalesce(extends, 0)"
	if c.ioBytes {
		written = "(coalesce(write_bytes, 0) + coalesce(extend_bytes, 0)) / current_setting('block_size')::int"
	}
	return "(select coalesce(sum(" + written + "), 0)::bigint from pg_catalog.pg_stat_io where backend_type = 'client " +
		"backend' and object = 'relation')"
}

// The processes of the activity query.
const (
	ofLoad = iota
	ofVacuum
	ofOthers
)

// activityQuery returns the query for the activity of the processes that work on the database: the number of each
// kind in each state. The load's are known by their application_name, $1; of other clients only those at work are
// counted. The function under pg_stat_activity avoids two joins.
func (c catalog) activityQuery() string {
	return fmt.Sprintf(`select case when backend_type = 'autovacuum worker' then %d when application_name = $1 then `+
		`%d else %d end,
 coalesce(state, ''), coalesce(wait_event_type, ''), coalesce(wait_event, ''),
 case when backend_type = 'autovacuum worker' then left(query, %d)
  when application_name <> $1 and starts_with(state, 'idle in transaction') then left(application_name, %d)
  else '' end, count(*)
 from pg_catalog.pg_stat_get_activity(null)
 where datid = %d and pid <> %d and backend_type in ('client backend', 'parallel worker', 'autovacuum worker')
 and (backend_type = 'autovacuum worker' or application_name = $1 or state <> 'idle')
 group by 1, 2, 3, 4, 5`, ofVacuum, ofLoad, ofOthers, longestQuery, longestApplication, c.database, c.pid)
}

// longestQuery bounds the kept part of an autovacuum worker's query, in characters.
const longestQuery = 120

// longestApplication bounds the kept part of the name of an application, in characters.
const longestApplication = 40

// scansQuery returns the query for the tables that were read by sequential scans since the server's start, with most
// rows first: any role may read these statistics, of its database.
const scansQuery = `select case schemaname when 'public' then relname else schemaname || '.' || relname end,
 seq_scan, seq_tup_read from pg_catalog.pg_stat_user_tables where seq_tup_read > 0 order by seq_tup_read desc limit 200`

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
	case kind == "IPC" && event == "SyncRep":
		return record.WaitStandby
	case kind == "LWLock" || kind == "BufferPin" || kind == "Buffer":
		return record.WaitLWLock
	}
	return record.WaitOther
}

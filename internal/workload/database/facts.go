package database

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
)

// tested is the major version that the tests run with.
const tested = 15

// ours is the number of a trial's connections beside the load's: to hold the database, to watch it and to check it.
const ours = 3

// facts are a server's properties.
type facts struct {
	version  string // such as "15.18"
	major    int
	build    string
	settings []setting // non-default settings, and some that always matter

	max      int // limit of connections
	reserved int // of them, reserved for superusers
	others   int // connected already
}

// setting is one server setting, as SHOW prints it.
type setting struct{ name, value string }

//nolint:lll // a raw string
const (
	askVersion = `select current_setting('server_version'), current_setting('server_version_num')::int / 10000, ` +
		`version(), current_setting('max_connections')::int,
		current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0),
		(select count(*) from pg_stat_activity where coalesce(backend_type, 'client backend') = 'client backend' and usesysid is not null
			and datid is not null and pid <> pg_backend_pid())` // backend_type is hidden from roles without pg_monitor
	// Settings that we make for a connection of our own are not the server's.
	askSettings = `select name, current_setting(name) from pg_settings
		where source not in ('default', 'client', 'session', 'override') and name <> all ($1) or name = any ($2) order by name`
)

// factsOf reads a server's properties, and the settings that the connection began with, by these names.
func factsOf(ctx context.Context, c *pgx.Conn, own ...string) (facts, error) {
	var f facts
	if err := c.QueryRow(ctx, askVersion).Scan(&f.version, &f.major, &f.build, &f.max, &f.reserved,
		&f.others); err != nil {
		return f, fmt.Errorf("read the server's version: %w", err)
	}
	f.version, _, _ = strings.Cut(f.version, " ") // "15.18 (Debian …)"
	rows, err := c.Query(ctx, askSettings, aside(), append(always(), own...))
	if err != nil {
		return f, fmt.Errorf("read the server's settings: %w", err)
	}
	hide := secret.NewMasker() // primary_conninfo and archive_command may hold passwords
	f.settings, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (setting, error) {
		var s setting
		err := row.Scan(&s.name, &s.value)
		s.value = hide.Value(s.name, s.value)
		return s, err
	})
	if err != nil {
		return f, fmt.Errorf("read the server's settings: %w", err)
	}
	return f, nil
}

// aside returns the settings that do not affect how a server works: its paths, and its formats of numbers and dates.
func aside() []string {
	return append(postgres.Ours(), "config_file", "ident_file", "cluster_name", "application_name", "DateStyle",
		"TimeZone", "log_timezone", "log_line_prefix",
		"lc_messages", "lc_monetary", "lc_numeric", "lc_time", "default_text_search_config", "dynamic_shared_memory_type",
		"client_encoding", "bonjour_name",
		"ssl_cert_file", "ssl_key_file", "ssl_ca_file", "stats_temp_directory", "unix_socket_group",
		"unix_socket_permissions", "log_directory", "log_filename")
}

// always returns the settings that a trial's keys always include.
func always() []string {
	return []string{"shared_buffers", "data_checksums", "fsync", "synchronous_commit"}
}

// matter returns the settings that come first there if they are not the defaults.
func matter() []string {
	return append(always(), "full_page_writes", "wal_level", "wal_compression",
		"max_wal_size", "min_wal_size", "wal_buffers", "checkpoint_timeout", "checkpoint_completion_target",
		"effective_cache_size", "work_mem", "maintenance_work_mem", "random_page_cost", "effective_io_concurrency",
		"huge_pages", "autovacuum", "jit",
		"max_connections", "shared_preload_libraries", "default_transaction_isolation", "commit_delay", "io_method")
}

// The trial's keys.
const (
	keyVersion = record.EnginePrefix + "postgres"
	keyBuild   = record.EnginePrefix + "build"
)

// The sizes available in a trial's line, in bytes.
const (
	mostBuild    = 160
	mostSettings = 480
)

func (f facts) keys() map[string]string {
	if f.version == "" {
		return map[string]string{}
	}
	all := sha256.New()
	for _, s := range f.settings {
		fmt.Fprintf(all, "%s=%s\x00", s.name, s.value)
	}
	return map[string]string{
		keyVersion: f.version, keyBuild: f.build[:min(len(f.build), mostBuild)],
		record.KeySettings: f.said(), record.KeySettingsDigest: fmt.Sprintf("%x", all.Sum(nil)[:4]),
	}
}

// said returns the settings as text, important ones first, as many as fit.
func (f facts) said() string {
	sorted := slices.Clone(f.settings)
	place := func(s setting) int {
		at := slices.Index(matter(), s.name)
		if at < 0 {
			at = len(matter())
		}
		return at
	}
	slices.SortStableFunc(sorted, func(a, b setting) int { return place(a) - place(b) })
	var out strings.Builder
	for i, s := range sorted {
		text := s.name + "=" + s.value
		if out.Len()+len(text) > mostSettings {
			fmt.Fprintf(&out, "and %d more", len(sorted)-i)
			break
		}
		out.WriteString(text + " ")
	}
	return strings.TrimSuffix(out.String(), " ")
}

func (f facts) untested() bool { return f.version != "" && f.major != tested }

// enough returns an error if the server cannot accept all clients.
func (f facts) enough(name string, clients int, elsewhere bool) error {
	need, free := clients+ours, f.max-f.reserved-f.others
	if need <= free {
		return nil
	}
	text := fmt.Sprintf("too few connections: %d clients and %d of our own need %d, but the server has %d free: "+
		"max_connections is %d, of which %d are reserved",
		clients, ours, need, max(free, 0), f.max, f.reserved)
	if f.others > 0 {
		text += fmt.Sprintf(" and %d are in use", f.others)
	}
	hint := fmt.Sprintf("--set %s.%s='max_connections = %d', or fewer clients",
		name, postgres.ParamSettings, f.max+need-free)
	if elsewhere {
		hint = fmt.Sprintf("fewer clients, or max_connections = %d on that server", f.max+need-free)
	}
	return fmt.Errorf("%s\nhint: %s", text, hint)
}

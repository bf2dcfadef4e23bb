package postgres

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/prometheus/procfs"
)

// setting is one line of a configuration.
type setting struct{ name, value string }

// Ours returns the settings that plimsoll sets: a start overrides the user's.
func Ours() []string {
	return []string{"listen_addresses", "port", "unix_socket_directories", "hba_file", "data_directory",
		"external_pid_file", "logging_collector",
		"log_destination", "ssl"}
}

// parseSettings parses "name = value" lines, as in postgresql.conf; quotes around a value, empty lines and comments
// are allowed.
func parseSettings(text string) ([]setting, error) {
	var out []setting
	shape := regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_.]*)\s*(?:=\s*|\s+)(?:'((?:[^']|'')*)'|([^'#]*?))\s*(?:#.*)?$`)
	for n, line := range strings.Split(onePerLine(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := shape.FindStringSubmatch(line)
		if m == nil || m[2]+m[3] == "" && !strings.Contains(line, "''") {
			return nil, fmt.Errorf("%s: line %d of %s, %.60q, is not name = value\nhint: one per line, as in "+
				"work_mem = 64MB", name, n+1, ParamSettings, line)
		}
		for _, k := range Ours() {
			if strings.EqualFold(m[1], k) {
				return nil, fmt.Errorf("%s: line %d of %s: %s is set by plimsoll\nhint: leave it out",
					name, n+1, ParamSettings, k)
			}
		}
		out = append(out, setting{strings.ToLower(m[1]), strings.ReplaceAll(m[2], "''", "'") + m[3]})
	}
	return out, nil
}

// onePerLine puts each of several settings of a line on one of its own: "a = 1, b = 2" are two, and "a = x, y" is one.
func onePerLine(text string) string {
	if strings.Contains(text, "'") {
		return text
	}
	return regexp.MustCompile(`,\s*([A-Za-z_][A-Za-z0-9_.]*\s*=)`).ReplaceAllString(text, "\n$1")
}

// Named returns the settings of a text by name; of several of one name the last wins.
func Named(text string) (map[string]string, error) {
	all, err := parseSettings(text)
	out := map[string]string{}
	for _, s := range all {
		out[s.name] = s.value
	}
	return out, err
}

// perconaMemory is the memory of the machines in Percona's evaluation: m6gd.8xlarge and m5d.8xlarge, in bytes.
const perconaMemory = 128 << 30

// presetSettings returns those of the preset; amounts of memory are scaled to this machine's.
func presetSettings(preset string) ([]setting, error) {
	if preset != PresetPercona {
		return nil, nil
	}
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return nil, fmt.Errorf("%s: read the size of memory: %w", name, err)
	}
	m, err := fs.Meminfo()
	if err != nil {
		return nil, fmt.Errorf("%s: read the size of memory: %w", name, err)
	}
	if m.MemTotalBytes == nil {
		return nil, fmt.Errorf("%s: the kernel does not report the size of memory\nhint: leave out %s=%s",
			name, ParamPreset, preset)
	}
	return percona(*m.MemTotalBytes), nil
}

// percona returns the configuration of "PostgreSQL on ARM-based AWS EC2 Instances: Is It Any Good?" (Percona,
// January 2021).
func percona(memory uint64) []setting {
	scaled := func(gib float64, least uint64) string {
		return fmt.Sprintf("%dkB", max(uint64(gib*float64(memory)/perconaMemory*(1<<30)), least)>>10)
	}
	return []setting{
		{"max_connections", "200"},
		{"shared_buffers", scaled(32, 128<<20)},
		{"checkpoint_timeout", "1h"},
		{"max_wal_size", scaled(96, 1<<30)},
		{"checkpoint_completion_target", "0.9"},
		{"archive_mode", "on"},
		{"archive_command", "/bin/true"},
		{"random_page_cost", "1.0"},
		{"effective_cache_size", scaled(80, 128<<20)},
		{"maintenance_work_mem", scaled(2, 64<<20)},
		{"autovacuum_vacuum_scale_factor", "0.4"},
		{"bgwriter_lru_maxpages", "1000"},
		{"bgwriter_lru_multiplier", "10.0"},
		{"wal_compression", "on"},
		{"log_checkpoints", "on"},
		{"log_autovacuum_min_duration", "0"},
	}
}

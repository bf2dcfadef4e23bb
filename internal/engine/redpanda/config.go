package redpanda

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"
)

const (
	configFile    = "redpanda.yaml"
	bootstrapFile = ".bootstrap.yaml"
	dataDir       = "data"
)

// bootstrap has the cluster's properties at its first start: nothing is reported to the vendor, and topics are ours to
// make.
const bootstrap = "enable_metrics_reporter: false\nauto_create_topics_enabled: false\n"

// node is what a node is configured by.
type node struct {
	dir        string // of its files
	at         netip.AddrPort
	rpc, admin int
	cert, key  string // "": plain text
}

// listener is an address as Redpanda has it.
type listener struct {
	Name    string `yaml:"name,omitempty"`
	Address string `yaml:"address"`
	Port    int    `yaml:"port"`
}

// config returns redpanda.yaml: our settings come last, and win.
func (n node) config(own string) (string, error) {
	all, err := parseSettings(own)
	if err != nil {
		return "", err
	}
	if all == nil {
		all = map[string]any{}
	}
	local := func(port int) listener { return listener{Address: "127.0.0.1", Port: port} }
	all["data_directory"] = filepath.Join(n.dir, dataDir)
	all["node_id"] = 0
	all["seed_servers"] = []string{}
	all["empty_seed_starts_cluster"] = true
	all["rpc_server"], all["advertised_rpc_api"] = local(n.rpc), local(n.rpc)
	all["admin"] = []listener{local(n.admin)}
	const clients = "clients"
	all["kafka_api"] = []listener{{clients, n.at.Addr().String(), int(n.at.Port())}}
	all["advertised_kafka_api"] = []listener{{clients, reached(n.at.Addr()).String(), int(n.at.Port())}}
	if n.cert != "" {
		all["kafka_api_tls"] = []map[string]any{
			{"name": clients, "enabled": true, "cert_file": n.cert, "key_file": n.key, "require_client_auth": false}}
	}
	text, err := yaml.Marshal(map[string]any{name: all})
	return string(text), err
}

// reached returns the address that clients are given for one at which the node listens.
func reached(a netip.Addr) netip.Addr {
	switch {
	case !a.IsUnspecified():
		return a
	case a.Is4():
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return netip.IPv6Loopback()
}

// kept returns the settings that plimsoll makes.
func kept() []string {
	return []string{"data_directory", "node_id", "seed_servers", "empty_seed_starts_cluster", "rpc_server",
		"advertised_rpc_api",
		"admin", "kafka_api", "advertised_kafka_api", "kafka_api_tls"}
}

// parseSettings parses the user's settings.
func parseSettings(text string) (map[string]any, error) {
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		return nil, fmt.Errorf("%s: %w\nhint: NAME: VALUE, one per line, as in the section redpanda of redpanda.yaml",
			ParamSettings, err)
	}
	for setting := range out {
		if slices.Contains(kept(), setting) {
			return nil, fmt.Errorf("%s: %s is set by plimsoll\nhint: leave it out", ParamSettings, setting)
		}
	}
	return out, nil
}

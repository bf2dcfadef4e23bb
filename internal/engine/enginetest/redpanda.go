package enginetest

import (
	"crypto/tls"
	"fmt"
	"os"

	"github.com/goccy/go-yaml"
	"github.com/twmb/franz-go/pkg/kfake"
)

// Redpanda stands in for the program of Redpanda, which is in no registry that can be reached: it is started as that
// is, reads the same file, and speaks the protocol at the address there. It returns an exit code, or never.
func Redpanda(args []string) int {
	if len(args) == 1 && args[0] == "--version" {
		fmt.Println("v0.0.0-stand-in")
		return 0
	}
	if len(args) < 2 || args[0] != "--redpanda-cfg" {
		fmt.Fprintf(os.Stderr, "unknown options %q\n", args)
		return 1
	}
	opts, err := redpandaOptions(args[1])
	if err == nil {
		_, err = kfake.NewCluster(opts...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	select {}
}

// redpandaOptions reads a node's configuration.
func redpandaOptions(path string) ([]kfake.Opt, error) {
	var file struct {
		Redpanda struct {
			API []struct {
				Port int `yaml:"port"`
			} `yaml:"kafka_api"`
			TLS []struct {
				Cert string `yaml:"cert_file"`
				Key  string `yaml:"key_file"`
			} `yaml:"kafka_api_tls"`
		} `yaml:"redpanda"`
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		return nil, err
	}
	if len(file.Redpanda.API) != 1 {
		return nil, fmt.Errorf("%s has %d listeners", path, len(file.Redpanda.API))
	}
	opts := []kfake.Opt{kfake.NumBrokers(1), kfake.Ports(file.Redpanda.API[0].Port), kfake.SeedTopics(1, "try")}
	for _, t := range file.Redpanda.TLS {
		pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
		if err != nil {
			return nil, err
		}
		opts = append(opts, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{pair}}))
	}
	return opts, nil
}

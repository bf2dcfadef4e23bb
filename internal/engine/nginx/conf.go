package nginx

import (
	"bytes"
	_ "embed"
	"fmt"
	"net/netip"
	"os"
	"strings"
	"text/template"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
)

// The files in the scratch directory. The configuration has paths relative to it, so that no character of its own
// path can be special to nginx.
const (
	confFile  = "nginx.conf"
	wwwDir    = "www"
	indexFile = "body"
	tempDir   = "temp"
)

//go:embed nginx.conf.tmpl
var confText string

// conf is the data of the template.
type conf struct {
	Root      bool // run by root
	Workers   int
	Affinity  string // mask of CPUs, highest first; "": none
	Files     uint64 // limit of a worker's open files
	Listen    string
	TLS       bool
	Hello     string
	WWW, Body string
	Temp      string
	Cert, Key string
}

// maxFiles bounds the memory that a worker allocates for connections.
const maxFiles = 16384

func configure(s engine.Settings, at netip.AddrPort) ([]byte, error) {
	workers, err := s.Workers()
	if err != nil {
		return nil, fmt.Errorf("nginx: %w", err)
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return nil, fmt.Errorf("nginx: limit of open files: %w", err)
	}
	t, err := template.New(confFile).Parse(confText)
	if err != nil {
		return nil, fmt.Errorf("nginx: configuration: %w", err)
	}
	var b bytes.Buffer
	err = t.Execute(&b, conf{
		Root: os.Geteuid() == 0, Workers: workers, Affinity: mask(s.CPUs), Files: min(limit.Max, maxFiles),
		Listen: at.String(), TLS: s.Params.Bool(engine.ParamTLS), Hello: engine.Hello,
		WWW: wwwDir, Body: indexFile, Temp: tempDir, Cert: engine.CertFile, Key: engine.KeyFile,
	})
	return b.Bytes(), err
}

// mask returns CPUs in the format of worker_cpu_affinity: one digit per CPU, that of CPU 0 last.
func mask(cpus []int) string {
	if len(cpus) == 0 {
		return ""
	}
	top := 0
	for _, c := range cpus {
		top = max(top, c)
	}
	digits := []byte(strings.Repeat("0", top+1))
	for _, c := range cpus {
		digits[top-c] = '1'
	}
	return string(digits)
}

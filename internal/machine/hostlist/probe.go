package hostlist

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/list"
)

//go:embed probe.sh
var probeScript string

// Probe is what a host says of itself to a shell script. A field that could not be read keeps its zero value.
type Probe struct {
	Arch     string   `json:"arch,omitempty"`          // as uname writes it
	Boot     string   `json:"boot,omitempty"`          // of the running kernel since boot
	Firmware string   `json:"firmware_type,omitempty"` // instance type that the firmware states
	Plimsoll string   `json:"plimsoll,omitempty"`      // path; "": not in PATH
	Version  string   `json:"version,omitempty"`
	Sudo     string   `json:"sudo,omitempty"` // "root", "yes", "no"
	Perf     string   `json:"perf,omitempty"` // "yes", "no", "missing"
	Clock    float64  `json:"-"`              // s since the epoch when the script was told to go on
	Paths    []Volume `json:"paths,omitempty"`
}

// Volume is the file system of a directory.
type Volume struct {
	Path     string   `json:"path"`
	Problem  string   `json:"problem,omitempty"` // "missing", "unwritable"
	FS       string   `json:"fs,omitempty"`
	Total    int64    `json:"total_bytes,omitempty"`
	Free     int64    `json:"free_bytes,omitempty"`
	Reflink  string   `json:"reflink,omitempty"` // "yes", "no"; "" unknown
	RAID     string   `json:"raid,omitempty"`    // level, such as "raid0"
	Disks    []string `json:"disks,omitempty"`
	mentions int      // lines about it
}

// Greeting is the first line of a host that carries out the script, which then waits for a line to begin.
const Greeting = "plimsoll-probe 1"

// Script returns the text for `sh -s` that prints a Probe about these directories. A shell reads all of it before it
// carries out any: it is one compound command, which exits.
func Script(paths []string) string {
	return "{\npaths=\"" + strings.Join(list.Map(paths, octal), " ") + "\"\n" + probeScript + "exit\n}\n"
}

// octal writes each byte of a text that is no letter, digit or one of "/._-" as printf's %b reads it, so that no shell
// sees anything else in it.
func octal(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("/._-", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\\0%03o`, c)
		}
	}
	return b.String()
}

// The most that a host may print, in bytes and lines.
const (
	MaxProbe   = 64 << 10
	maxWord    = 256 // bytes of a value
	maxMention = 256 // lines about one directory
)

// ReadProbe reads what the script printed after its greeting. Unknown lines are skipped; an error is an answer that did
// not come to its end.
func ReadProbe(text []byte) (Probe, error) {
	var p Probe
	ended := false
	for line := range strings.Lines(string(text)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		value = cut(strings.TrimSpace(strings.ToValidUTF8(value, "?")))
		if key == "end" {
			ended = true
			break
		}
		if !p.take(key, value) && len(p.Paths) > 0 {
			p.Paths[len(p.Paths)-1].take(key, value)
		}
	}
	if !ended {
		return p, errors.New("its answer broke off")
	}
	return p, nil
}

func cut(value string) string {
	if len(value) <= maxWord {
		return value
	}
	return strings.ToValidUTF8(value[:maxWord], "")
}

// take reads a line about the host, and reports whether it was one.
func (p *Probe) take(key, value string) bool {
	switch key {
	case "clock":
		p.Clock = seconds(value)
	case "arch":
		p.Arch = value
	case "boot":
		p.Boot = value
	case "vendor":
		p.Firmware = value // until the product follows
	case "product":
		p.Firmware = firmwareType(p.Firmware, value)
	case "plimsoll":
		p.Plimsoll = value
	case "version":
		p.Version = versionOf(value)
	case "sudo":
		p.Sudo = oneOf(value, "root", "yes", "no")
	case "perf":
		p.Perf = oneOf(value, "yes", "no", "missing")
	case "path":
		p.Paths = append(p.Paths, Volume{Path: value})
	default:
		return false
	}
	return true
}

// firmwareType returns the instance type that a machine's firmware states: only that of EC2 does.
func firmwareType(vendor, product string) string {
	if vendor == "Amazon EC2" {
		return wordOf(product)
	}
	return ""
}

func versionOf(text string) string {
	var v struct {
		Version string `json:"version"`
	}
	if json.Unmarshal([]byte(text), &v) != nil {
		return ""
	}
	return v.Version
}

func oneOf(value string, known ...string) string {
	if slices.Contains(known, value) {
		return value
	}
	return ""
}

// seconds reads `date +%s.%N`; a date that knows no %N gives whole seconds.
func seconds(text string) float64 {
	whole, fraction, _ := strings.Cut(text, ".")
	s, err := strconv.ParseFloat(whole, 64)
	if err != nil || math.IsInf(s, 0) || math.IsNaN(s) {
		return 0
	}
	if ns, err := strconv.ParseUint(fraction, 10, 32); err == nil && len(fraction) == len("123456789") {
		s += float64(ns) / 1e9
	}
	return s
}

// take reads a line about a directory.
func (v *Volume) take(key, value string) {
	if v.mentions++; v.mentions > maxMention {
		return
	}
	switch key {
	case "missing", "unwritable":
		v.Problem = key
	case "fs":
		v.FS = value
	case "total":
		v.Total = kib(value)
	case "free":
		v.Free = kib(value)
	case "reflink":
		v.Reflink = oneOf(value, "yes", "no")
	case "raid":
		v.RAID = value
	case "disk":
		if value != "" && !slices.Contains(v.Disks, value) {
			v.Disks = append(v.Disks, value)
		}
	}
}

// kib reads a number of KiB as bytes; 0 if it is none.
func kib(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64>>10 {
		return 0
	}
	return n << 10
}

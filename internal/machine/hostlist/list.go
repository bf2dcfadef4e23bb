// Package hostlist reads what inventories, schedulers and clusters say of their machines, and the list of hosts that it
// becomes: one line a host, which users may write themselves.
package hostlist

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"text/tabwriter"
	"unicode"

	"plimsoll/internal/base/usage"
)

// Host is one line of the list.
type Host struct {
	Name    string `json:"name"`           // of the machine, in results
	Type    string `json:"type,omitempty"` // instance type; "": what its firmware states
	Zone    string `json:"zone,omitempty"`
	Command string `json:"command"`           // that reaches it; "": this host
	Trouble string `json:"trouble,omitempty"` // why its source expects it to be unreachable; not part of the list
	at      string // what else identifies the machine, such as its address; "": nothing does
}

// none stands for a field that a line leaves open: no type, no zone, and for a command this host.
const none = "-"

// MaxBytes bounds a list: some ten thousand hosts.
const MaxBytes = 4 << 20

// form is the hint of a line that is none.
const form = "a line is NAME TYPE ZONE COMMAND, such as: web1 m7g.large eu-west-1a ssh web1; - stands for what is " +
	"unknown, # begins a comment"

// Parse reads a list: on each line a name, a type, a zone, and the command that reaches the host. The error is wrong
// usage.
func Parse(path string, text []byte) ([]Host, error) {
	var out []Host
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		h, err := parseLine(line)
		if err != nil {
			return nil, usage.Errorf("%s, line %d: %v\nhint: %s", path, n, err, form)
		}
		out = append(out, h)
	}
	return out, Check(path, out, "remove one of the two lines")
}

func parseLine(line string) (Host, error) {
	if strings.ContainsFunc(line, control) {
		return Host{}, fmt.Errorf("it has a control character, or is no UTF-8")
	}
	var fields [3]string
	rest := line
	for i := range fields {
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			return Host{}, fmt.Errorf("it has %d of the 4 fields", i+1)
		}
		fields[i], rest = rest[:end], strings.TrimSpace(rest[end:])
	}
	if !validName(fields[0]) {
		return Host{}, fmt.Errorf("%q is no name of a machine: letters, digits, '.', '_' and '-', at most %d", fields[0],
			maxName)
	}
	return Host{Name: fields[0], Type: known(fields[1]), Zone: known(fields[2]), Command: known(rest)}, nil
}

// control reports whether a line may not have a character.
func control(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || r == unicode.ReplacementChar
}

func known(field string) string {
	if field == none {
		return ""
	}
	return field
}

// maxName bounds the characters of a name: it stands in every run's line.
const maxName = 63

func validName(s string) bool {
	return len(s) <= maxName && regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`).MatchString(s)
}

// nameOf returns a machine's name for what others call it.
func nameOf(text string) string {
	plain := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, text)
	plain = strings.TrimLeft(plain, "._-")
	return cmp.Or(plain[:min(len(plain), maxName)], "host")
}

// wordOf returns a field of the list for a text from elsewhere.
func wordOf(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsPrint(r) || unicode.IsSpace(r) || control(r)
	}), "_")
	return known(text)
}

// Check returns an error if there is no host, if two have one name, or if two are one machine. what names the list, and
// leave is the hint by which one of two is left out.
func Check(what string, hosts []Host, leave string) error {
	if len(hosts) == 0 {
		return usage.Errorf("%s: there is no host in it\nhint: %s", what, form)
	}
	names, at := map[string]bool{}, map[string]string{}
	for _, h := range hosts {
		if names[h.Name] {
			return usage.Errorf("%s: two hosts are called %s\nhint: %s", what, h.Name, leave)
		}
		names[h.Name] = true
		if strings.ContainsFunc(h.Command, control) || strings.TrimSpace(h.Command) != h.Command {
			return usage.Errorf("%s: the command that reaches %s has a control character, or is no UTF-8\nhint: %s", what,
				h.Name, leave)
		}
		for _, key := range []string{"command " + h.Command, h.at} {
			if key == "" {
				continue
			}
			if other, ok := at[key]; ok {
				return usage.Errorf("%s: %s and %s are one machine: both are reached by %s\nhint: %s", what, other, h.Name,
					cmp.Or(h.at, h.Command, "no command"), leave)
			}
			at[key] = h.Name
		}
	}
	return nil
}

// Format returns the list that Parse reads, in columns.
func Format(hosts []Host) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 1, 2, ' ', tabwriter.StripEscape)
	const escape = "\xff" // tabwriter.Escape: a command may have a tab of its own
	for _, h := range hosts {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", h.Name, cmp.Or(h.Type, none), cmp.Or(h.Zone, none),
			escape+cmp.Or(h.Command, none)+escape)
	}
	_ = w.Flush() // into memory
	return b.String()
}

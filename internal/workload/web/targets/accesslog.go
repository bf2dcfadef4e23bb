package targets

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The bounds of an access log, and of what of it is a load.
const (
	maxLog      = 4 << 30 // bytes
	maxLogLine  = 1 << 20
	maxDistinct = 1 << 20 // different requests that are counted
	maxLogBytes = 2 << 20 // of the targets that are kept, the most frequent first
	// allWeights is the sum of the weights of a log's requests: httpload's bound less one for each target, since none
	// is less than 1.
	allWeights = 1<<16 - maxTargets
	// headLines are read to tell an access log from a file of targets: the first may be of somebody who tried TLS.
	headLines = 20
)

// LogMethods are the methods of an access log's requests that are sent if nobody asks for others: they change nothing,
// and have no body, which no log holds.
const LogMethods = "GET,HEAD"

// Log is what an access log had beside the targets.
type Log struct {
	Name     string
	Requests int            // lines with a request
	Refused  int            // requests that the server answered with an error, 400 or above
	Rare     int            // requests that were too rare to be kept
	Bad      int            // lines without a request
	Methods  map[string]int // kept requests by method
	Scaled   bool           // weights are proportional to the counts, and not these
}

// Left returns what of a log is not sent, if so are these methods; "" if all is.
func (l *Log) Left(methods string) string {
	if l == nil {
		return ""
	}
	var parts []string
	left := l.Refused + l.Rare
	for _, m := range slices.Sorted(maps.Keys(l.Methods)) {
		if !taken(m, methods) {
			left += l.Methods[m]
			parts = append(parts, fmt.Sprintf("%d %s", l.Methods[m], m))
		}
	}
	if l.Refused > 0 {
		parts = append(parts, fmt.Sprintf("%d that were answered with an error", l.Refused))
	}
	if l.Rare > 0 {
		parts = append(parts, fmt.Sprintf("%d of the rarest URLs", l.Rare))
	}
	bad := ""
	if l.Bad > 0 {
		bad = fmt.Sprintf("; lines without a request: %d", l.Bad)
	}
	if left == 0 && bad == "" {
		return ""
	}
	text := "all requests are sent"
	if left > 0 {
		text = fmt.Sprintf("%d of %d requests are left out: %s", left, l.Requests, strings.Join(parts, ", "))
	}
	return l.Name + ": " + text + bad
}

// taken reports whether a method is in a list.
func taken(method, methods string) bool {
	for m := range strings.SplitSeq(methods, ",") {
		if strings.EqualFold(strings.TrimSpace(m), method) {
			return true
		}
	}
	return false
}

// entry is a request of an access log.
type entry struct {
	method, target string
	host           string // virtual host; "" if the log does not tell
}

// logged matches the request of a line in the common or combined format, or another one that quotes it, with the status
// that follows it; hosted matches a virtual host before them.
type logged struct{ request, hosted *regexp.Regexp }

func newLogged() logged {
	return logged{request: regexp.MustCompile(`"([A-Z]+) (\S+) HTTP/[0-9](?:\.[0-9])?"(?: ([1-9][0-9]{2})\b)?`),
		hosted: regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)(?::\d+)? ` +
			`(?:\d+\.\d+\.\d+\.\d+|[0-9a-f:]*:[0-9a-f:]+) `)}
}

// of returns a line's request and its status, 0 if it tells none.
func (l logged) of(line string) (e entry, status int, ok bool) {
	if strings.HasPrefix(line, "{") {
		return l.object(line)
	}
	m := l.request.FindStringSubmatch(line)
	if m == nil {
		return e, 0, false
	}
	if h := l.hosted.FindStringSubmatch(line); h != nil && !strings.Contains(h[1], ":") {
		e.host = h[1]
	}
	e.method, e.target = m[1], onServer(m[2])
	status, _ = strconv.Atoi(m[3])
	return e, status, e.target != ""
}

// object returns the request of a line in JSON, by the names of nginx' variables, of Caddy and of Traefik.
func (l logged) object(line string) (e entry, status int, ok bool) {
	var all map[string]any
	if json.Unmarshal([]byte(line), &all) != nil {
		return e, 0, false
	}
	first := func(from map[string]any, names ...string) string {
		for _, n := range names {
			switch v := from[n].(type) {
			case string:
				if v != "" {
					return v
				}
			case float64:
				return strconv.Itoa(int(v))
			}
		}
		return ""
	}
	status, _ = strconv.Atoi(first(all, "status", "status_code", "DownstreamStatus", "response_code", "code"))
	if inner, ok := all["request"].(map[string]any); ok {
		maps.Copy(all, inner)
	}
	if line := first(all, "request"); line != "" {
		if m := l.request.FindStringSubmatch(`"` + line + `"`); m != nil {
			all["method"], all["uri"] = m[1], m[2]
		}
	}
	e.method = first(all, "request_method", "RequestMethod", "method")
	e.target = onServer(first(all, "request_uri", "uri", "RequestPath", "path", "url"))
	e.host = first(all, "host", "http_host", "RequestHost", "server_name")
	return e, status, e.target != "" && e.method != "" && strings.ToUpper(e.method) == e.method && status > 0
}

// onServer returns the path and query of a logged target; "" if it has none. Servers write bytes that are no text as
// \xHH.
func onServer(target string) string {
	if _, rest, ok := strings.Cut(target, "://"); ok {
		_, path, _ := strings.Cut(rest, "/")
		target = "/" + path
	}
	target, _, _ = strings.Cut(target, "#")
	if !strings.HasPrefix(target, "/") {
		return ""
	}
	return strings.NewReplacer(`\x`, "%", `\"`, "%22", `\\`, "%5C", `"`, "%22").Replace(target)
}

// isLog reports whether a text begins as an access log.
func isLog(head []byte) bool {
	l, n := newLogged(), 0
	for line := range bytes.Lines(head) {
		if _, _, ok := l.of(string(bytes.TrimSpace(line))); ok {
			return true
		}
		if n++; n == headLines {
			break
		}
	}
	return false
}

// counted are the requests of a log.
type counted struct {
	log   Log
	lines map[entry]int // of the first request of its kind
	times map[entry]int
	hosts map[string]bool
}

// readLog counts an access log's requests.
func readLog(name string, r io.Reader) (*counted, error) {
	c := &counted{log: Log{Name: name, Methods: map[string]int{}}, lines: map[entry]int{}, times: map[entry]int{},
		hosts: map[string]bool{}}
	l := newLogged()
	s := bufio.NewScanner(io.LimitReader(r, maxLog))
	s.Buffer(make([]byte, 64<<10), maxLogLine)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		e, status, ok := l.of(line)
		switch {
		case line == "":
			continue
		case !ok:
			c.log.Bad++
			continue
		}
		c.log.Requests++
		switch {
		case status >= 400:
			c.log.Refused++
			continue
		case c.times[e] == 0 && len(c.times) == maxDistinct:
			c.log.Rare++
			continue
		case c.times[e] == 0:
			c.lines[e] = n
		}
		c.times[e]++
		c.hosts[e.host] = true
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return c, nil
}

// targets returns the most frequent requests with weights in proportion to their counts. Of several virtual hosts each
// request names its own.
func (c *counted) targets() ([]Target, error) {
	kinds := slices.SortedFunc(maps.Keys(c.times), func(a, b entry) int {
		return cmp.Or(cmp.Compare(c.times[b], c.times[a]), cmp.Compare(c.lines[a], c.lines[b]))
	})
	var out []Target
	room, all := maxLogBytes, 0
	for _, e := range kinds {
		t := Target{Name: c.log.Name + ":" + strconv.Itoa(c.lines[e]), Method: e.method, URL: e.target, Weight: c.times[e]}
		if len(c.hosts) > 1 && e.host != "" {
			t.Header = []string{"Host: " + e.host}
		}
		if _, _, err := t.request(""); err != nil {
			c.log.Bad, c.log.Requests = c.log.Bad+t.Weight, c.log.Requests-t.Weight
			continue
		}
		if room -= len(t.URL) + len(t.Name); room < 0 || len(out) == maxTargets {
			c.log.Rare += t.Weight
			continue
		}
		all += t.Weight
		c.log.Methods[e.method] += t.Weight
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, errors.New(c.log.Name + ": the access log has no request that was answered without an error\nhint: " +
			"plimsoll run http --targets FILE also reads lines such as GET http://127.0.0.1:8080/items")
	}
	for i := range out {
		if all > allWeights {
			c.log.Scaled = true
			out[i].Weight = max(1, out[i].Weight*allWeights/all)
		}
	}
	return out, nil
}

package targets

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/secret"
)

var (
	errWeightLast = errors.New("no target follows the weight\nhint: # weight: N stands before the request line " +
		"that it is for")
	errWeightInner = errors.New("a weight is followed by a line that is no request line\nhint: # weight: N stands " +
		"before METHOD URL")
)

// maxWeight bounds a weight; httpload bounds their sum.
const maxWeight = 1 << 16

// parser is the state between two lines.
type parser struct {
	name   string
	line   int
	from   Files
	out    []Target
	open   bool // header lines of the last target may follow
	weight int  // of the next target; 0: none stated
}

// at names the line of an error.
func (p *parser) at(line int, err error) error { return fmt.Errorf("%s:%d: %w", p.name, line, err) }

// text parses a line of vegeta's HTTP format, of which vegeta ignores comments, so that the weights there are ours.
func (p *parser) text(line string) error {
	switch {
	case line == "":
		p.open = false
		return nil
	case line[0] == '#':
		return p.comment(line)
	case requestLine().MatchString(line):
		return p.begin(line)
	case p.weight > 0:
		return errWeightInner
	case !p.open:
		return errors.New("not a request line\nhint: write METHOD URL, such as GET http://127.0.0.1:8080/items")
	case line[0] == '@':
		p.open = false
		return p.body(line[1:])
	}
	return p.header(line)
}

func requestLine() *regexp.Regexp { return regexp.MustCompile(`^[A-Z]+[ \t]+`) }

func weightLine() *regexp.Regexp { return regexp.MustCompile(`(?i)^#\s*weight\s*[:=]\s*(.*)$`) }

// comment takes a weight from a comment such as "# weight: 3".
func (p *parser) comment(line string) error {
	m := weightLine().FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return fmt.Errorf("the weight %q is no whole number\nhint: # weight: 3 makes a target three times as frequent "+
			"as one without", m[1])
	}
	if p.weight > 0 {
		return errors.New("two weights for one target\nhint: one # weight: N stands before a request line")
	}
	p.weight, err = weightOf(n)
	return err
}

func weightOf(n int) (int, error) {
	if n < 1 || n > maxWeight {
		return 0, fmt.Errorf("the weight %d is not from 1 to %d", n, maxWeight)
	}
	return n, nil
}

func (p *parser) begin(line string) error {
	method, url, _ := strings.Cut(line, " ")
	if tab := strings.IndexByte(line, '\t'); tab >= 0 && tab < len(method) {
		method, url = line[:tab], line[tab+1:]
	}
	url, err := p.filled(strings.TrimSpace(url), secret.URL)
	if err != nil {
		return err
	}
	p.add(Target{Method: method, URL: url, Weight: max(p.weight, 1)})
	p.open, p.weight = true, 0
	return nil
}

func (p *parser) add(t Target) {
	t.Name = p.name + ":" + strconv.Itoa(p.line)
	p.out = append(p.out, t)
}

func (p *parser) last() *Target { return &p.out[len(p.out)-1] }

func (p *parser) header(line string) error {
	name, value, ok := strings.Cut(line, ":")
	if !ok || strings.TrimSpace(name) == "" {
		return errors.New("neither a header, nor a body, nor a request line\nhint: write Name: value, @FILE, or METHOD URL")
	}
	value, err := p.filled(strings.TrimSpace(value), secret.Plain)
	if err != nil {
		return err
	}
	p.last().Header = append(p.last().Header, strings.TrimSpace(name)+": "+value)
	return nil
}

func (p *parser) body(path string) (err error) {
	if p.last().Body, err = p.from.Body(path); err != nil {
		return fmt.Errorf("the body: %w", err)
	}
	return nil
}

// filled returns a text with its variables replaced, encoded for their place.
func (p *parser) filled(text string, place secret.Place) (string, error) {
	known := secret.Values{}
	for _, name := range secret.Names(text) {
		value, err := p.from.Variable(name)
		if err != nil {
			return "", err
		}
		known[name] = []byte(value)
	}
	if strings.HasPrefix(text, "@") {
		text = "@" + text // no reference to a file
	}
	return known.ResolveIn(text, false, place), nil
}

// object is a target in vegeta's JSON format, with a weight.
type object struct {
	Method string              `json:"method"`
	URL    string              `json:"url"`
	Header map[string][]string `json:"header"`
	Body   []byte              `json:"body"`
	Weight *int                `json:"weight"`
}

// json parses a line of vegeta's JSON format.
func (p *parser) json(line string) error {
	if line == "" || line[0] == '#' {
		return nil
	}
	var o object
	if err := json.Unmarshal([]byte(line), &o); err != nil {
		return fmt.Errorf("not a target in JSON: %w\nhint: {\"method\": \"GET\", \"url\": \"http://HOST:PORT/PATH\"}, the "+
			"body in base64", err)
	}
	if o.Method == "" || o.URL == "" {
		return errors.New("a target without a method or a url\nhint: {\"method\": \"GET\", \"url\": " +
			"\"http://HOST:PORT/PATH\"}")
	}
	weight := 1
	var err error
	if o.Weight != nil {
		if weight, err = weightOf(*o.Weight); err != nil {
			return err
		}
	}
	if o.URL, err = p.filled(o.URL, secret.URL); err != nil {
		return err
	}
	p.add(Target{Method: o.Method, URL: o.URL, Body: o.Body, Weight: weight})
	for _, name := range slices.Sorted(maps.Keys(o.Header)) {
		for _, value := range o.Header[name] {
			if err := p.header(name + ": " + value); err != nil {
				return err
			}
		}
	}
	return nil
}

package httpload

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Values are where requests take the values from that differ from one to the next. Their text has {uuid}, {seq},
// {random LOW HIGH} and {column NAME}; a colon may stand for a blank, and two opening braces write one: {{seq} is
// {seq}.
type Values struct {
	Seed  uint64 // of {random}: the same numbers on both sides of a pair
	Run   uint64 // of {uuid}: no two runs have one in common
	Part  int    // of several generators of one load, from 0
	Parts int    // their number; 0: one
	Rows  *Rows  // of {column}: one row for each request, in turn; nil: none
	// Clients are the values of {token} and {cookies}, by name, that a login gave each client, in turn if there are fewer;
	// nil: there was none.
	Clients map[string][]string

	anyRows bool // a request is checked before the rows are known
}

// Rows is a table of values.
type Rows struct {
	Names []string
	Cells [][]string // by row
}

// place is where in a request a value is written, by which it is encoded.
type place uint8

const (
	inHeader place = iota
	inPath
	inQuery
	inJSON
	inForm
	inText
)

// The kinds of pieces of a text.
const (
	pieceText = iota
	pieceUUID
	pieceSeq
	pieceRandom
	pieceColumn
	pieceClient
)

// piece is a part of a text: bytes, or a value.
type piece struct {
	kind   uint8
	text   []byte
	low    int64
	span   uint64   // of {random}: its values, less one
	column [][]byte // of {column}, or of each client: encoded for its place
}

// pattern is a text with values.
type pattern []piece

// varies reports whether a text has values.
func (p pattern) varies() bool {
	return slices.ContainsFunc(p, func(one piece) bool { return one.kind != pieceText })
}

// braced matches what may be a value: a lower-case word in braces, maybe with arguments.
func braced() *regexp.Regexp {
	return regexp.MustCompile(`\{\{?([a-z][a-z0-9_]*)((?:[ :][^{}\r\n]*)?)\}`)
}

// words are the names of values; meant are those of others for them.
func words() []string { return []string{"uuid", "seq", "random", "column"} }

// The names of values that a login gives.
const (
	Token   = "token"
	Cookies = "cookies"
)

func meant(word string) string {
	switch word {
	case "guid", "uuid4", "uuidv4", "uuid_v4":
		return "{uuid}"
	case "sequence", "seqno", "seq_no":
		return "{seq}"
	case "rand", "randint", "rand_int", "random_int", "rnd":
		return "{random 1 1000}"
	}
	return ""
}

// Compact returns a URL whose values have colons for blanks, so that it has no blank.
func Compact(text string) string {
	return braced().ReplaceAllStringFunc(text, func(found string) string {
		word, _, _ := strings.Cut(strings.Trim(found, "{}"), " ")
		if !slices.Contains(words(), word) {
			return found
		}
		return strings.ReplaceAll(found, " ", ":")
	})
}

// NamesColumn reports whether a request has the value of a column.
func (c Config) NamesColumn() bool {
	named := func(text string) bool {
		return strings.Contains(text, "{column ") || strings.Contains(text, "{column:")
	}
	return slices.ContainsFunc(c.all(), func(r Request) bool {
		return named(r.URL) || named(string(r.Body)) || slices.ContainsFunc(r.Header, named)
	})
}

// parse returns the pieces of a text in its place. A word in braces that is no value stays text, unless it looks like
// one: in a URL, which has no braces of its own, every one does.
func (v Values) parse(text string, at place) (pattern, error) {
	var out pattern
	add := func(text string) {
		switch {
		case text == "":
		case len(out) > 0 && out[len(out)-1].kind == pieceText:
			out[len(out)-1].text = append(out[len(out)-1].text, text...)
		default:
			out = append(out, piece{text: []byte(text)})
		}
	}
	from := 0
	for _, m := range braced().FindAllStringSubmatchIndex(text, -1) {
		found, word, args := text[m[0]:m[1]], text[m[2]:m[3]], text[m[4]:m[5]]
		add(text[from:m[0]])
		from = m[1]
		switch {
		case m[0] > 0 && text[m[0]-1] == '$':
			add(found)
		case word == Token && v.Clients == nil && at == inHeader && !v.anyRows && !strings.HasPrefix(found, "{{"):
			return nil, errors.New("http: a header has {token}, and no login gives one\nhint: --login 'POST /login' " +
				"--login-body BODY --token .user.token, the path in its answer; {{token} is the text itself")
		case !slices.Contains(words(), word) && (v.Clients[word] == nil || args != ""):
			if v.anyRows && word == Token {
				add("token")
				continue
			}
			if want := meant(word); want != "" || (at == inPath || at == inQuery) && !strings.HasPrefix(found, "{{") {
				return nil, unknownValue(found, want)
			}
			add(found)
		case strings.HasPrefix(found, "{{"):
			add(found[1:])
		case v.Clients[word] != nil:
			p := piece{kind: pieceClient}
			for _, value := range v.Clients[word] {
				p.column = append(p.column, []byte(encoded(value, at)))
			}
			out = append(out, p)
		default:
			p, err := v.piece(word, args, at)
			if err != nil {
				return nil, err
			}
			out = append(out, p)
		}
	}
	add(text[from:])
	return out, nil
}

func unknownValue(found, want string) error {
	hint := "the values are {uuid}, {seq}, {random 1 1000} and {column NAME}"
	if want != "" {
		hint = "write " + want + "; " + hint
	}
	return fmt.Errorf("http: there is no value %s\nhint: %s", found, hint)
}

// piece returns a value's piece.
func (v Values) piece(word, args string, at place) (piece, error) {
	given := strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == ':' })
	switch word {
	case "random":
		return random(given)
	case "column":
		return v.columnOf(strings.TrimSpace(strings.TrimLeft(args, " :")), at)
	}
	if len(given) > 0 {
		return piece{}, fmt.Errorf("http: {%s} takes no argument\nhint: {{%s writes {%s as it is", word, word, word)
	}
	if word == "uuid" {
		return piece{kind: pieceUUID}, nil
	}
	return piece{kind: pieceSeq}, nil
}

func random(given []string) (piece, error) {
	if len(given) == 2 {
		low, errLow := strconv.ParseInt(given[0], 10, 64)
		high, errHigh := strconv.ParseInt(given[1], 10, 64)
		if errors.Join(errLow, errHigh) == nil && low <= high {
			return piece{kind: pieceRandom, low: low, span: uint64(high) - uint64(low)}, nil
		}
	}
	return piece{}, errors.New("http: {random} takes two whole numbers, the lower one first\nhint: {random 1 1000}")
}

// columnOf returns the piece of a column, all of whose values are encoded now.
func (v Values) columnOf(name string, at place) (piece, error) {
	switch {
	case v.anyRows:
		return piece{kind: pieceColumn, column: [][]byte{nil}}, nil
	case v.Rows == nil || len(v.Rows.Cells) == 0:
		return piece{}, fmt.Errorf("http: {column %s} without a file of rows\nhint: --csv FILE, whose first line names the "+
			"columns", name)
	case !slices.Contains(v.Rows.Names, name):
		return piece{}, fmt.Errorf("http: the file of rows has no column %q\nhint: it has %s", name,
			strings.Join(v.Rows.Names, ", "))
	}
	i := slices.Index(v.Rows.Names, name)
	out := piece{kind: pieceColumn}
	for n, row := range v.Rows.Cells {
		if at == inHeader && strings.ContainsFunc(row[i], isControl) {
			return piece{}, fmt.Errorf("http: row %d of the column %s has a control character, which no header can", n+1, name)
		}
		out.column = append(out.column, []byte(encoded(row[i], at)))
	}
	return out, nil
}

// encoded returns a value as it is written in its place. Within a JSON text a value may be a number or a part of a
// string: what would end the string is escaped.
func encoded(value string, at place) string {
	switch at {
	case inPath:
		return url.PathEscape(value)
	case inQuery, inForm:
		return url.QueryEscape(value)
	case inJSON:
		if quoted, err := json.Marshal(value); err == nil {
			return string(quoted[1 : len(quoted)-1])
		}
	}
	return value
}

// bodyPlace returns how values in a body are encoded, by its type or else by its first character.
func bodyPlace(fields []field, body []byte) place {
	kind := ""
	for _, f := range fields {
		if strings.EqualFold(f.name, "Content-Type") {
			kind = strings.ToLower(f.value)
		}
	}
	text := strings.TrimSpace(string(body))
	switch {
	case strings.Contains(kind, "json"), kind == "" && (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")):
		return inJSON
	case strings.Contains(kind, "x-www-form-urlencoded"):
		return inForm
	}
	return inText
}

// draws are a lane's random values.
type draws struct {
	random, uuid rand.PCG
}

// seed seeds the draws of lane n.
func (v Values) seed(n int64) (d draws) {
	d.random.Seed(v.Seed, uint64(v.Part)<<32|uint64(n))
	d.uuid.Seed(v.Run, uint64(v.Part)<<32|uint64(n))
	return d
}

// number returns the number of a load's i-th request of this generator, from 0: no two of all generators are alike.
func (v Values) number(i int64) int64 { return i*int64(max(v.Parts, 1)) + int64(v.Part) }

// put appends a text with its values for request n of a client.
func (d *draws) put(b []byte, p pattern, n, client int64) []byte {
	for i := range p {
		switch one := &p[i]; one.kind {
		case pieceText:
			b = append(b, one.text...)
		case pieceSeq:
			b = strconv.AppendInt(b, n+1, 10)
		case pieceRandom:
			at := d.random.Uint64()
			if one.span < ^uint64(0) {
				at, _ = bits.Mul64(at, one.span+1)
			}
			b = strconv.AppendInt(b, int64(uint64(one.low)+at), 10)
		case pieceColumn:
			b = append(b, one.column[n%int64(len(one.column))]...)
		case pieceClient:
			b = append(b, one.column[client%int64(len(one.column))]...)
		case pieceUUID:
			b = d.putUUID(b)
		}
	}
	return b
}

// putUUID appends a random UUID (RFC 9562, version 4).
func (d *draws) putUUID(b []byte) []byte {
	const digits = "0123456789abcdef"
	high, low := d.uuid.Uint64()&^0xf000|0x4000, d.uuid.Uint64()&^(3<<62)|2<<62
	for i := range 32 {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b = append(b, '-')
		}
		from := high
		if i >= 16 {
			from = low
		}
		b = append(b, digits[from>>(60-4*(i%16))&0xf])
	}
	return b
}

package session

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"plimsoll/internal/record"
)

// trialLines decodes the lines of trials as a Writer formats them: the fields of record.Trial in their order, nothing
// in between. Sessions hold them by the hundred thousand, and this takes a fifth of the time and a third of the memory
// of encoding/json, to which any other line is left. It is for one goroutine.
type trialLines struct {
	trial *shape
	keys  int // index of record.Trial.Keys
}

func newTrialLines() *trialLines {
	t := reflect.TypeFor[record.Trial]()
	keys, _ := t.FieldByName("Keys")
	return &trialLines{trial: shapeOf(t), keys: keys.Index[0]}
}

// decode decodes a line into a zero trial, but for its keys, which it returns as they stand: thousands of trials have
// the same. If ok is false the trial is undefined.
func (d *trialLines) decode(line []byte, t *record.Trial) (keys []byte, ok bool) {
	c := cursor{rest: line, ok: true}
	c.skip(opening + kindTrial + `",`)
	v := reflect.ValueOf(t).Elem()
	any := false
	for i := range d.trial.fields {
		f := &d.trial.fields[i]
		if !f.named(&c, any) {
			continue
		}
		any = true
		if f.index[0] == d.keys {
			keys = c.object()
			continue
		}
		f.shape.decode(&c, v.FieldByIndex(f.index))
	}
	_, sealed := sealIn(c.rest)
	return keys, c.ok && sealed && keys != nil
}

// shape is how a Writer formats a type.
type shape struct {
	kind   reflect.Kind
	elem   *shape            // of a pointer or a slice
	fields []field           // of a struct
	list   reflect.Type      // of elem
	room   reflect.Value     // for elements of pointers and slices, many in one piece: a list
	used   int               // of the room; the others are zero
	words  map[string]string // strings that lines repeat
}

type field struct {
	name  string // with a comma before it and a colon behind it
	index []int
	shape *shape
}

func shapeOf(t reflect.Type) *shape {
	s := &shape{kind: t.Kind()}
	switch t.Kind() {
	case reflect.String:
		s.words = map[string]string{}
	case reflect.Pointer, reflect.Slice:
		s.elem = shapeOf(t.Elem())
		s.list = reflect.SliceOf(t.Elem())
		s.room = reflect.Zero(s.list)
	case reflect.Struct:
		s.fields = fieldsOf(t)
	}
	return s
}

func fieldsOf(t reflect.Type) (out []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			for _, inner := range fieldsOf(f.Type) {
				inner.index = append([]int{i}, inner.index...)
				out = append(out, inner)
			}
			continue
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" {
			out = append(out, field{`,"` + name + `":`, []int{i}, shapeOf(f.Type)})
		}
	}
	return out
}

// named skips the field's name if it is next.
func (f *field) named(c *cursor, comma bool) bool {
	if comma {
		return c.optional(f.name)
	}
	return c.optional(f.name[1:])
}

// decode decodes a value of the shape into a zero one.
func (s *shape) decode(c *cursor, v reflect.Value) {
	switch s.kind {
	case reflect.String:
		v.SetString(s.word(c.text()))
	case reflect.Float64:
		n, err := strconv.ParseFloat(string(c.number()), 64)
		c.ok = c.ok && err == nil
		v.SetFloat(n)
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(string(c.number()), 10, 64)
		c.ok = c.ok && err == nil && !v.OverflowInt(n)
		v.SetInt(n)
	case reflect.Bool:
		yes := c.optional("true")
		c.ok = yes || c.optional("false")
		v.SetBool(yes)
	case reflect.Pointer:
		s.reserve(1)
		at := s.room.Index(s.used)
		s.used++
		s.elem.decode(c, at)
		v.Set(at.Addr())
	case reflect.Slice:
		s.slice(c, v)
	case reflect.Struct:
		s.object(c, v)
	default:
		c.ok = json.Unmarshal(c.object(), v.Addr().Interface()) == nil && c.ok
	}
}

func (s *shape) object(c *cursor, v reflect.Value) {
	c.skip("{")
	any := false
	for i := range s.fields {
		f := &s.fields[i]
		if !f.named(c, any) {
			continue
		}
		any = true
		f.shape.decode(c, v.FieldByIndex(f.index))
	}
	c.skip("}")
}

// slice decodes a list into the room, of which the rest is the next one's.
func (s *shape) slice(c *cursor, v reflect.Value) {
	c.skip("[")
	n := 0
	s.reserve(1)
	for more := c.ok && !c.optional("]"); more; more = c.optional(",") {
		s.reserve(n + 1)
		s.elem.decode(c, s.room.Index(s.used+n))
		n++
	}
	if n > 0 {
		c.skip("]")
	}
	v.Set(s.room.Slice3(s.used, s.used+n, s.used+n))
	s.used += n
}

// reserve makes room for n elements from the first that is not used, of which those decoded so far are kept.
func (s *shape) reserve(n int) {
	const many = 64
	if s.used+n <= s.room.Len() {
		return
	}
	room := reflect.MakeSlice(s.list, many+2*n, many+2*n)
	reflect.Copy(room, s.room.Slice(s.used, s.room.Len()))
	s.room, s.used = room, 0
}

// word returns a text as a string, of which there is one for each text of the first thousands.
func (s *shape) word(text []byte) string {
	const most = 4096
	if old, ok := s.words[string(text)]; ok {
		return old
	}
	w := string(text)
	if len(s.words) < most {
		s.words[w] = w
	}
	return w
}

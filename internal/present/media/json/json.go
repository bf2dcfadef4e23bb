// Package json writes a document of values as JSON.
package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"plimsoll/internal/record/figure"
)

// Write writes v as one indented document. A float that is not finite, which JSON cannot hold, becomes null, so that
// one bad figure does not cost the document. It returns the writer's error, or that of a value without a JSON form.
func Write(w io.Writer, v any) error {
	text, err := Marshal(v)
	var unsupported *json.UnsupportedValueError
	if errors.As(err, &unsupported) && unsupported.Value.CanFloat() {
		text, err = Marshal(Finite(reflect.ValueOf(v)))
	}
	if err != nil {
		return fmt.Errorf("encoding the results as JSON: %w", err)
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("writing the JSON document: %w", err)
	}
	return nil
}

// Marshal returns v as JSON. It leaves <, > and & readable, because the document is not put in HTML, and escapes what
// would control a terminal or the direction of text.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return escaped(b.Bytes()), err
}

// escaped escapes the characters that encoding/json leaves in strings, the only place where a document has any.
func escaped(text []byte) []byte {
	controls := func(r rune) bool { return r >= 0x7f && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) }
	if !bytes.ContainsFunc(text, controls) {
		return text
	}
	var out []byte
	for _, r := range string(text) {
		switch {
		case !controls(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, "\\u%04x\\u%04x", high, low)
		default:
			out = fmt.Appendf(out, "\\u%04x", r)
		}
	}
	return out
}

// Finite copies v into values that encoding/json encodes alike, with nil for floats that are not finite.
func Finite(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	if _, ok := v.Interface().(json.Marshaler); ok {
		return v.Interface()
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if !figure.IsFinite(v.Float()) {
			return nil
		}
	case reflect.Pointer, reflect.Interface:
		return Finite(v.Elem())
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			return finiteList(v)
		}
	case reflect.Array:
		return finiteList(v)
	case reflect.Map:
		return finiteMap(v)
	case reflect.Struct:
		return finiteStruct(v)
	}
	return v.Interface()
}

func finiteList(v reflect.Value) []any {
	out := make([]any, v.Len())
	for i := range out {
		out[i] = Finite(v.Index(i))
	}
	return out
}

func finiteMap(v reflect.Value) any {
	if v.IsNil() {
		return nil
	}
	out := map[string]any{}
	for it := v.MapRange(); it.Next(); {
		out[fmt.Sprint(it.Key())] = Finite(it.Value())
	}
	return out
}

// object is a JSON object that keeps the order of its fields.
type object []field

type field struct {
	name  string
	value any
}

// finiteStruct copies a struct by the fields' json tags: name, "-", omitempty and omitzero.
func finiteStruct(v reflect.Value) object {
	out := object{}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		value := v.FieldByIndex(f.Index)
		switch {
		case !f.IsExported() || f.Anonymous || name == "-":
		case strings.Contains(options, "omitempty") && isEmpty(value), strings.Contains(options, "omitzero") &&
			value.IsZero():
		default:
			out = append(out, field{name, Finite(value)})
		}
	}
	return out
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Struct:
		return false
	case reflect.Array, reflect.Map, reflect.Slice:
		return v.Len() == 0
	}
	return v.IsZero()
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(f.name)
		value, err := Marshal(f.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

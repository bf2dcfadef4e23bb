package render

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode"

	mediajson "plimsoll/internal/present/media/json"
	"plimsoll/internal/record"
)

// The copy that stands in for a document with NaN must differ from what
// encoding/json writes in nothing but the null.
func TestFiniteCopyEncodesAlike(t *testing.T) {
	sane := sampleShown()
	for i := range sane.Workloads {
		if math.IsNaN(sane.Workloads[i].Value) {
			sane.Workloads[i].Value = 0
		}
	}
	documents := map[string]any{
		"shown": sane, "compared": compared(), "machine": xeon(), "list": listed(),
		"pointer": &record.Plan{Factors: []record.Factor{{Name: "tls", Levels: []string{"on"}}}},
		"value":   record.Value{Metric: record.Metric{Name: "a<b"}, Value: 1.5},
		"nothing": struct{ P *int }{}, "map": map[string][]float64{"a": {1, 2}, "b": nil}, "bytes": []byte("raw"),
		"own form": json.RawMessage(`{"z":1,"a":2}`), "array": [2]bool{true},
		"hidden": struct {
			Kept   int
			Hidden int `json:"-"`
			Empty  any `json:"e,omitempty"`
		}{1, 2, nil},
	}
	for name, doc := range documents {
		want, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(mediajson.Finite(reflect.ValueOf(doc)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

func TestJSONTurnsNonFiniteIntoNull(t *testing.T) {
	s := sampleShown()
	s.Workloads[0].Value, s.Workloads[0].Lo, s.Workloads[0].Hi = math.NaN(), ptr(math.Inf(-1)), ptr(math.Inf(1))
	s.Workloads[1].Value = 7
	var b bytes.Buffer
	if err := mediajson.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Workloads []map[string]any `json:"workloads"`
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"value", "lo", "hi"} {
		if got, ok := back.Workloads[0][key]; got != nil || !ok {
			t.Errorf("%s is %v (present: %v), want null", key, got, ok)
		}
	}
	if got := back.Workloads[1]["value"]; got != 7.0 {
		t.Errorf("a finite value became %v", got)
	}
	if !strings.HasSuffix(b.String(), "}\n") || !strings.Contains(b.String(), "\n  \"Workloads\"") {
		t.Errorf("not one indented document:\n%.200s", b.String())
	}
}

func TestJSONRefusesWhatHasNoForm(t *testing.T) {
	err := mediajson.Write(&bytes.Buffer{}, map[string]any{"f": func() {}})
	if err == nil || !strings.Contains(err.Error(), "encoding the results as JSON") {
		t.Errorf("error %v", err)
	}
}

// TestJSONControlsNoTerminal: what is escaped is read back as it was.
func TestJSONControlsNoTerminal(t *testing.T) {
	in := "a\x1b]52;\u009b2J\u202e\u2028\x7f\U000e0041 日本<&>\U0001f600"
	text, err := mediajson.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if at := bytes.IndexFunc(text, func(r rune) bool {
		return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
	}); at >= 0 {
		t.Errorf("%q passes in %s", text[at:], text)
	}
	var back string
	if err := json.Unmarshal(text, &back); err != nil || back != in || !bytes.Contains(text, []byte("日本<&>\U0001f600")) {
		t.Errorf("%s is read as %q, %v", text, back, err)
	}
}

package pgload

import (
	"bytes"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

func TestArgs(t *testing.T) {
	var a Args
	if got := a.values(); len(got) != 0 {
		t.Errorf("none are %q", got)
	}
	for range 2 { // made anew, they are the same
		got := a.Reset().Null().Text("").Int(-5).Null().Float(0.1).Bytes(nil).values()
		want := [][]byte{nil, {}, []byte("-5"), nil, []byte("0.1"), {}}
		for i, w := range want {
			if (got[i] == nil) != (w == nil) || !bytes.Equal(got[i], w) {
				t.Errorf("value %d is %q (%t), want %q", i, got[i], got[i] == nil, w)
			}
		}
	}
	if got := a.Reset().Text("").values(); got[0] == nil {
		t.Error("an empty text is null")
	}
	if (*Args)(nil).values() != nil {
		t.Error("no arguments are some")
	}
	if n := testing.AllocsPerRun(100, func() { a.Reset().Int(1).Text("abc").Null().Float(1.5).values() }); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

// FuzzRows parses anything as a statement's command tag, and any names of columns.
func FuzzRows(f *testing.F) {
	f.Add([]byte("INSERT 0 17"), []byte("a\x00bc"))
	f.Add([]byte("99999999999999999999999"), []byte(""))
	f.Fuzz(func(t *testing.T, tag, names []byte) {
		rowsOf(tag)
		var fields []pgproto3.FieldDescription
		for _, name := range bytes.Split(names, []byte{0}) {
			fields = append(fields, pgproto3.FieldDescription{Name: name})
		}
		var c columns
		for range 2 {
			c.take(fields)
			for i := range fields {
				if !bytes.Equal(c.name(i), fields[i].Name) {
					t.Fatalf("column %d of %q is %q", i, names, c.name(i))
				}
			}
			if c.name(len(fields)) != nil {
				t.Fatal("a column beyond the last has a name")
			}
		}
	})
}

func TestRowsOf(t *testing.T) {
	for tag, want := range map[string]int64{"SELECT 12": 12, "INSERT 0 3": 3, "BEGIN": 0, "": 0,
		"UPDATE 1000000": 1000000} {
		if n := rowsOf([]byte(tag)); n != want {
			t.Errorf("%q is %d rows", tag, n)
		}
	}
}

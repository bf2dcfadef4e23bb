package pgscript

import (
	"errors"
	"strings"
	"testing"
)

// FuzzScript: any text is parsed or refused with its line; a parsed script runs to its end or to an error with its
// line, and statements have as many placeholders as values.
func FuzzScript(f *testing.F) {
	for _, text := range []string{
		"\\set aid random(1, 100000 * :scale)\nBEGIN;\nUPDATE t SET a = a + :aid WHERE b = ':aid';\nEND;",
		"\\if :client_id = 3\nselect 1 \\gset p_\n\\elif not true\n\\else\n\\endif\n\\sleep :scale us",
		"\\set x case when 1 < 2 then -9223372036854775808 else hash(:scale, 1) end\n\\startpipeline\nselect $$;$$, " +
			"E'\\''\\; select :x\n\\endpipeline",
		"/* ; /* */ */ select \"a;b\"::int, a[1:2] -- c\n;\\set y \\\n 1e3 % .5 is null",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, simple bool) {
		p, err := Parse([]Source{{Name: "fuzz", Weight: 1, Text: text}}, simple)
		var where *Error
		if err != nil {
			if !errors.As(err, &where) || where.Line < 1 || where.Line > 1+strings.Count(text, "\n") {
				t.Fatalf("%q: the error %v has no line of it", text, err)
			}
			return
		}
		s, st := p.Scripts[0], p.NewState(1, 2, 3)
		for at := 0; ; {
			next, after, err := s.Next(st, at)
			if err != nil {
				if !errors.As(err, &where) || where.Line < 1 {
					t.Fatalf("%q: the error %v has no line", text, err)
				}
				return
			}
			if next.What == Over {
				return
			}
			if after <= at {
				t.Fatalf("%q: step %d is followed by %d", text, at, after)
			}
			at = after
			if next.Statement != nil {
				if len(next.Statement.literals) != next.Statement.Params()+1 {
					t.Fatalf("%q: %d texts around %d values", text, len(next.Statement.literals), next.Statement.Params())
				}
				next.Statement.AppendText(nil, st)
				next.Statement.Keep(st, []byte("a"), []byte("1"))
			}
		}
	})
}

package pgscript

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// parsed is a script with a client of it.
func parsed(t testing.TB, text string, simple bool) (*Script, *State) {
	t.Helper()
	p, err := Parse([]Source{{Name: "test.sql", Weight: 1, Text: text}}, simple)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return p.Scripts[0], p.NewState(3, 20, 7)
}

// evaluated is the text of an expression's value.
func evaluated(t testing.TB, text string) (string, error) {
	s, st := parsed(t,
		`\set n -1`+"\n"+`\set null NULL`+"\n"+`\set big 9223372036854775807`+"\n"+`\set x `+text+"\nselect :x;", true)
	next, _, err := s.Next(st, 0)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(string(next.Statement.AppendText(nil, st)), "select "), nil
}

// TestExpressions: values as PostgreSQL's documentation of pgbench gives them, or as its operators do in SQL.
func TestExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"5 + 4": "9", "3 - 2.0": "1", "5 * 4": "20", "5 / 3": "1", "3 % 2": "1", "- 2.0": "-2", "+1": "1",
		"TRUE or NULL": "true", "NULL and TRUE": "NULL", "false and 5 / 0 = 1": "false",
		"5 <> 4": "true", "5 != 5": "false", "5 < 4": "false", "3 <= 3": "true", "5 > 4": "true", "2 >= 3": "false",
		"not false": "true",
		"1 | 2":     "3", "1 # 3": "2", "1 & 3": "1", "~ 1": "-2", "1 << 2": "4", "8 >> 2": "2",
		"1 is null": "false", "NULL IS NULL": "true", ":null isnull": "true", "1 notnull": "true",
		"true is not true": "false", "5 is true": "false",
		"1 + 2 * 3": "7", "(1 + 2) * 3": "9", "1 + 1 << 2": "8", "7 - 2 - 1": "4", "100 / 10 / 5": "2", "-2 * 3": "-6",
		"2 - -1": "3", "not 1 = 2": "true",
		"1 = 1 and 2 = 2 or 1 / 0 = 1": "true", "1 < 2 is true": "true", "~1 + 1": "-3",
		"-9223372036854775808": "-9223372036854775808", "9223372036854775807": "9223372036854775807",
		"abs(-17)": "17", "abs(-2.5)": "2.5", "debug(5432)": "5432", "double(5432)": "5432", "exp(1.0)": "2.71828182845905",
		"greatest(5, 4, 3, 2)": "5",
		"greatest(1, 2.5)":     "2.5", "least(5, 4, 3, 2.1)": "2.1", "least(1, 2.5)": "1", "int(5.4 + 3.8)": "9",
		"int(2.5)": "2", "int(-3.5)": "-4",
		"ln(2.718281828459045)": "1", "mod(54, 32)": "22", "pi()": "3.14159265358979", "pow(2.0, 10)": "1024",
		"POWER(2, 0.5)": "1.4142135623731", "sqrt(2.0)": "1.4142135623731",
		"abs(NULL)": "NULL", "1 + NULL": "NULL", "NULL = NULL": "NULL", "not null": "NULL",
		"CASE WHEN 1 = 2 THEN 1 WHEN TRUE THEN 2 ELSE 3 END": "2", "case when null then 1 end": "NULL",
		"case when 0 then 1 else 2 end": "2", "case when 0.5 then 1 end": "1",
		"hash_fnv1a(10, 5432)": "-7793829335365542153", "hash(10, 5432)": "-5817877081768721676",
		"hash_murmur2(10, 5432)": "-5817877081768721676",
		".5 + 1.":                "1.5", "1e3": "1000", "1.5E-3": "0.0015", "1e300 * 1e300": "inf",
		":client_id + :scale": "23",
		"permute(0, 1)":       "0", "7 is true is false": "true", "1 is null is null": "false", "- 1.0 / 0": "-inf",
		"random(4, 4)": "4", ":n * 3": "-3", "1.0 / 0": "inf",
	} {
		got, err := evaluated(t, text)
		if err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", text, got, err, want)
		}
	}
}

// TestErrorsOfExpressions: errors of evaluation have a reason and a line.
func TestErrorsOfExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"1 / 0": "division by zero", "1 % (2 - 2)": "division by zero", ":big + 1": "out of range",
		"0 - :big - 2": "out of range", ":big * 2": "out of range",
		"-9223372036854775808 / -1": "out of range", "abs(-9223372036854775808)": "out of range", "int(1e30)": "out of range",
		"int(sqrt(-1))": "out of range",
		"TRUE + 1":      "not a boolean", "5 and true": "a boolean is required", "not 5": "a boolean is required",
		"int(true)":    "not a boolean",
		"random(5, 4)": "empty", "random(-9223372036854775808, :big)": "exceeds that of a whole number",
		"random_gaussian(1, 5, 1.9)": "at least 2", "random_exponential(1, 5, 0)": "must be positive",
		"random_zipfian(1, 5, 1.0)": "1.001 to 1000", "permute(1, 0)": "must be positive",
		"greatest(1, true)": "not a boolean",
	} {
		_, err := evaluated(t, text)
		var where *Error
		if !errors.As(err, &where) || where.Line != 4 || where.Name != "test.sql" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q at test.sql:4", text, err, want)
		}
	}
}

// TestErrorsOfScripts: errors of parsing have a reason and a line.
func TestErrorsOfScripts(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "test.sql:1: the script is empty",
		"-- nothing\n;":                    "test.sql:1: the script is empty",
		"select 1;\n\\shell ls":            `test.sql:2: \shell is refused`,
		"\\setshell x ls":                  `test.sql:1: \setshell is refused`,
		"\n\n\\st x 1":                     "test.sql:3: unknown command \\st\nhint: available: \\set",
		"\\set 1x 2":                       `is not a variable name`,
		"\\set x":                          "an expression is missing",
		"\\set x 1 +":                      "ends too early",
		"\\set x (1":                       `expected ")", not the end`,
		"\\set x 1 2":                      `unexpected "2" after the expression`,
		"\\set x 1 = 2 = 3":                "follows another comparison",
		"\\set x randm(1, 2)":              "unknown function \"randm\"\nhint: did you mean random?",
		"\\set x random(1)":                "random takes 2 arguments, not 1",
		"\\set x abs":                      "a function without arguments",
		"\\set x greatest()":               "greatest takes 1 to 16 arguments, not 0",
		"\\set x 9223372036854775808":      "out of range",
		"\\set x 1 $ 2":                    `unexpected "$ 2"`,
		"\\set x case 1 end":               `expected "when"`,
		"\\set x 1 is 2":                   "expected NULL, TRUE or FALSE after IS",
		"\\set aid 1\nselect :ait;":        "test.sql:2: no variable :ait is set\nhint: did you mean :aid?",
		"\\set x :y + 1":                   "no variable :y is set",
		"\\if true\nselect 1;":             `test.sql:1: \if without \endif`,
		"select 1;\n\\endif":               `test.sql:2: \endif: no preceding \if`,
		"\\if true\n\\else\n\\else":        `test.sql:3: \else: it follows \else`,
		"\\if true\n\\else x\n\\endif":     "unexpected text",
		"\\gset":                           `\gset must follow an SQL command`,
		"select 1;\n\\set x 1\n\\gset":     `test.sql:3: \gset must follow an SQL command`,
		"select 1 \\gset a b":              "takes one prefix",
		"select 1 \\gset\n\\gset":          "must follow",
		"\\startpipeline\nselect 1 \\gset": "is not allowed in a pipeline",
		"\\startpipeline\nselect 1;":       `\startpipeline without \endpipeline`,
		"\\endpipeline":                    `no preceding \startpipeline`,
		"\\startpipeline\n\\startpipeline": "has no \\endpipeline",
		"\\sleep":                          "the time is missing",
		"\\sleep 1 min":                    `the unit "min" is not us, ms or s`,
		"\\sleep x":                        `the unit "x" is not`,
		"\\sleep 1.5":                      "is not a whole number",
		"\\set v 1\nselect ':v';":          "test.sql:2: :v is in quotes",
		"select 1;\x00":                    "test.sql:1: a NUL byte",
		"\\set x " + strings.Repeat("(", 300) + "1": "nested more than 200 levels deep",
	} {
		_, err := Parse([]Source{{Name: "test.sql", Weight: 1, Text: text}}, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	if _, err := Parse([]Source{{Name: "a", Text: "select 1"}}, false); err == nil ||
		!strings.Contains(err.Error(), "no script has a weight") {
		t.Errorf("a weight of 0: %v", err)
	}
	if _, err := Parse([]Source{{Name: "a", Weight: 1, Text: "\\startpipeline\n\\endpipeline"}}, true); err == nil ||
		!strings.Contains(err.Error(), "the simple protocol has no pipelines") {
		t.Errorf("a pipeline of the simple protocol: %v", err)
	}
}

// TestStatements: the beginning and end of SQL, and its variables.
func TestStatements(t *testing.T) {
	for text, want := range map[string][]string{
		"select 1; select 2":                       {"select 1", "select 2"},
		"select\n  1 -- one; no end\n  , 2\n;":     {"select\n  1 -- one; no end\n  , 2"},
		"select ';', \"a;b\", E'\\';', 'it''s;' ;": {"select ';', \"a;b\", E'\\';', 'it''s;'"},
		"do $$ begin; end $$; select $x$ ; $$ $x$": {"do $$ begin; end $$", "select $x$ ; $$ $x$"},
		"select (1; 2); x":                         {"select (1; 2)", "x"},
		"/* a; /* b; */ c; */ select 1;":           {"/* a; /* b; */ c; */ select 1"},
		"select :a::int, a[1:2], '12:30', :a;":     {"select $1::int, a[1:2], '12:30', $2"},
		"select 1 \\; select 2;":                   {"select 1 ; select 2"},
		"select 1 as one \\gset x_\nselect :x_one": {"select 1 as one", "select $1"},
		"create or replace function f(int) returns int language sql begin atomic; select case when $1 > 0 then 1 else 2 " +
			"end; end; select 1": {
			"create or replace function f(int) returns int language sql begin atomic; select case when $1 > 0 then 1 " +
				"else 2 end; end", "select 1"},
		"CREATE PROCEDURE p() BEGIN ATOMIC select 1; END; begin; end": {"CREATE PROCEDURE p() BEGIN ATOMIC select 1; END",
			"begin", "end"},
		"create table begin (n int); select 1": {"create table begin (n int)", "select 1"},
		"-- a comment; with an end\nselect 1":  {"select 1"},
		"select a\\:a":                         {"select a:a"},
		"select a$1, e, E from t":              {"select a$1, e, E from t"},
		"select 1 /* :a */;":                   {"select 1 /* :a */"},
	} {
		s, _ := parsed(t, "\\set a 5\n"+text, false)
		var got []string
		for _, st := range s.Statements {
			got = append(got, st.Text)
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// sent returns everything that a client sends in one run of a script by the simple protocol.
func sent(t *testing.T, s *Script, st *State) []string {
	t.Helper()
	var out []string
	for at := 0; ; {
		next, after, err := s.Next(st, at)
		if err != nil {
			t.Fatal(err)
		}
		switch at = after; next.What {
		case Over:
			return out
		case Sleep:
			out = append(out, "sleep "+next.For.String())
		case Send:
			out = append(out, string(next.Statement.AppendText(nil, st)))
		}
	}
}

func TestControl(t *testing.T) {
	const text = `
\set n 0
\if :client_id = 3
  \set n :n + \
      10
  \if false
    select 'never';
  \elif :n > 5
    select 'inner', :n;
  \else
    select 'never';
  \endif
\elif true
  select 'never';
\else
  select 'never';
\endif
\sleep 2
\sleep 15ms
\sleep :n us
select ':n', NULL, :never;
`
	s, st := parsed(t, text+"\\if false\n\\set never 1\n\\endif", true)
	want := "select 'inner', 10|sleep 2s|sleep 15ms|sleep 10µs|select '10', NULL, :never"
	for range 2 {
		if got := strings.Join(sent(t, s, st), "|"); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
	if l := s.Statements[1].Line; l != 9 {
		t.Errorf("the second statement is on line %d", l)
	}
}

// TestKeep: columns become variables if a script uses them, as values and as text.
func TestKeep(t *testing.T) {
	s, st := parsed(t, "select 1 \\gset p_\n\\set sum :p_a + 1\nselect :p_a, :p_b, :sum;", false)
	next, at, err := s.Next(st, 0)
	if rows, one := next.Statement.Keeps(); err != nil || !rows || !one {
		t.Fatalf("the first statement keeps %t, %t (%v)", rows, one, err)
	}
	for name, text := range map[string][]byte{"a": []byte("41"), "b": nil, "unused": []byte("1")} {
		if err := next.Statement.Keep(st, []byte(name), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := next.Statement.Keep(st, []byte("?column?"), []byte("1")); err == nil ||
		!strings.Contains(err.Error(), `the column "p_?column?" cannot be a variable`) {
		t.Errorf("a column of no name: %v", err)
	}
	if next, _, err = s.Next(st, at); err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range next.Statement.Params() {
		text, null := next.Statement.AppendParam(nil, st, i)
		if null {
			text = []byte("null")
		}
		got = append(got, string(text))
	}
	if strings.Join(got, " ") != "41 null 42" {
		t.Errorf("the values are %q", got)
	}
}

// TestParseValue: a server's text is parsed as pgbench does.
func TestParseValue(t *testing.T) {
	for text, want := range map[string]string{
		"7": "7", " 7 ": "7", "of": "false", "o": "", "tr": "true", "Y": "true", "n": "false", "null": "NULL", "0x10": "16",
		"-0X1p4": "-16", "1e3": "1000", "": "", "x": "", "infinity": "inf",
	} {
		v, err := parseValue(text)
		if got := string(v.appendTo(nil)); (err != nil) != (want == "") || err == nil && got != want {
			t.Errorf("%q is %s (%v), want %q", text, got, err, want)
		}
	}
}

// TestMark: a retried transaction draws the same numbers, and begins with the same variables.
func TestMark(t *testing.T) {
	s, st := parsed(t, "\\set x random(1, 1000000000)\n\\set y :x\nselect :x, :y;", true)
	sent(t, s, st)
	st.Mark()
	first := sent(t, s, st)[0]
	second := sent(t, s, st)[0]
	st.Back()
	if again := sent(t, s, st)[0]; again != first || second == first {
		t.Errorf("first %s, then %s; again %s", first, second, again)
	}
}

// TestClientsDrawTheirOwn: seeds and clients give other numbers, and the same ones each time.
func TestClientsDrawTheirOwn(t *testing.T) {
	p, err := Parse([]Source{{Name: "a", Weight: 1, Text: "\\set x random(1, 1000000000)\nselect :x, :random_seed;"}},
		true)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for range 2 {
		for seed := range uint64(3) {
			for client := range 3 {
				seen[sent(t, p.Scripts[0], p.NewState(client, 1, seed))[0]]++
			}
		}
	}
	for text, n := range seen {
		if n != 2 {
			t.Errorf("%s was drawn %d times", text, n)
		}
	}
}

func TestChoose(t *testing.T) {
	p, err := Parse([]Source{{Name: "a", Weight: 3, Text: "select 1"}, {Name: "b", Weight: 0, Text: "select 2"},
		{Name: "c", Weight: 1, Text: "select 3"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	st := p.NewState(0, 1, 1)
	var n [3]int
	const draws = 40_000
	for range draws {
		n[p.Choose(st)]++
	}
	if n[1] != 0 || math.Abs(float64(n[0])/draws-0.75) > 0.02 {
		t.Errorf("weights 3, 0 and 1 were drawn %v", n)
	}
}

// TestNothingAllocates: repeated actions of a client.
func TestNothingAllocates(t *testing.T) {
	s, st := parsed(t, "\\set a random_zipfian(1, 1000, 1.1) + random_gaussian(1, 10, 3) + random_exponential(1, 9, 2)\n"+
		"\\set d greatest(:a, 1.5, least(hash(:a), permute(:a, 100)))\n"+
		"\\if :a > 0 and not false\n\\set c case when :a is null then 1 else sqrt(:a) end\n\\endif\nselect :a, :d, :c, "+
		":p_x \\gset p_\n", false)
	buf := make([]byte, 0, 256)
	loop := func() {
		st.Mark()
		for at := 0; ; {
			next, after, err := s.Next(st, at)
			if err != nil {
				t.Fatal(err)
			}
			if next.What == Over {
				break
			}
			at = after
			for i := range next.Statement.Params() {
				buf, _ = next.Statement.AppendParam(buf[:0], st, i)
			}
			buf = next.Statement.AppendText(buf[:0], st)
			if err := next.Statement.Keep(st, []byte("x"), buf[:3]); err != nil {
				t.Fatal(err)
			}
		}
		st.Back()
	}
	loop()
	if n := testing.AllocsPerRun(200, loop); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

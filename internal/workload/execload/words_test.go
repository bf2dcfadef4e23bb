package execload

import (
	"slices"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/workloadtest"
)

func TestWords(t *testing.T) {
	for _, tc := range []struct {
		name string
		set  map[string]string
		want []string
	}{
		{"split", map[string]string{"command": `a 'b c' "d e" f\ g ''`}, []string{"a", "b c", "d e", "f g", ""}},
		{"shell", map[string]string{"command": "a | b > $X", "shell": "true"}, []string{"sh", "-c", "a | b > $X"}},
		{"one run has level 1", map[string]string{"command": "a -n {load}"}, []string{"a", "-n", "1"}},
		{"clients", map[string]string{"command": "a {load}", "clients": "8"}, []string{"a", "8"}},
		{"rate", map[string]string{"command": "a {load} {rate}", "rate": "2.5"}, []string{"a", "2.5", "2.5"}},
		{"the user's own", map[string]string{"command": "cc {flags} {file}", "flags": "-O2 -g", "file": "'a b.c'"},
			[]string{"cc", "-O2", "-g", "a b.c"}},
		{"own parameter", map[string]string{"command": "a --max {timeout} {output_limit}", "timeout": "90s"},
			[]string{"a", "--max", "90s", "16MiB"}},
		{"braces", map[string]string{"command": "awk '{{print $1}' {{{x}}", "x": "y"}, []string{"awk", "{print $1}", "{y}"}},
		{"values are not expanded again", map[string]string{"command": "a {x}", "x": "{y}"}, []string{"a", "{y}"}},
		{"scratch", map[string]string{"command": "a {scratch}/b {x}", "x": "{scratch}"},
			[]string{"a", "/scratch/x/b", "/scratch/x"}},
		{"engines", map[string]string{"command": "{engine.kafka.java} -cp '{engine.nginx}/*' {x}", "x": "{engine.nginx}"},
			[]string{"/x/java", "-cp", "/x/nginx/*", "{engine.nginx}"}},
		{"empty value", map[string]string{"command": "a {x} b", "x": ""}, []string{"a", "b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := words(params(t, tc.set), "/scratch/x",
				places{paths: map[string]string{"engine.nginx": "/x/nginx", "engine.kafka.java": "/x/java"}}.path)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, tc := range []struct {
		name string
		set  map[string]string
		want string
	}{
		{"no command", nil, "no command to run\nhint: plimsoll run exec"},
		{"blank command", map[string]string{"command": "  "}, "no command to run"},
		{"program is empty", map[string]string{"command": "{x}", "x": ""}, "names no program"},
		{"no such parameter", map[string]string{"command": "a {x}"},
			"refers to {x}, but no parameter has that name\nhint: --set exec.x=…"},
		{"itself", map[string]string{"command": "a {command}"}, "refers to {command}"},
		{"empty name", map[string]string{"command": "find -exec a {} ;"}, "refers to {}"},
		{"open brace", map[string]string{"command": "a {x"}, "{ without }"},
		{"open quotation", map[string]string{"command": "a 'b"}, "ends inside a quotation"},
		{"NUL byte", map[string]string{"command": "a\x00b"}, "NUL byte"},
		{"load is taken", map[string]string{"command": "a {load}", "load": "3"}, "no parameter can be named load"},
		{"scratch is taken", map[string]string{"command": "a {scratch}", "scratch": "3"},
			"no parameter can be named scratch"},
		{"no such engine", map[string]string{"command": "{engine.ngnix}"},
			"refers to {engine.ngnix}, but no engine has that name\nhint: did you mean nginx?"},
		{"pattern of fio's", map[string]string{"command": "a", "parse": "fio", "pattern": "x"}, "fio does not use a pattern"},
		{"pattern without parse", map[string]string{"command": "a", "pattern": "x"},
			"pattern=x applies only to a value in the command's output, but parse=time"},
		{"parse without pattern", map[string]string{"command": "a", "parse": "regexp"}, "regular expression is required"},
		{"bad pattern", map[string]string{"command": "a", "parse": "json", "pattern": "$["}, "not a JSONPath"},
		{"no direction", map[string]string{"command": "a", "parse": "json", "pattern": "$.a"},
			"nothing tells whether more or less of value is better\nhint: --better higher or --better lower"},
		{"no direction of bytes", map[string]string{"command": "a", "parse": "regexp", "pattern": "(a)", "unit": "MB"},
			"whether more or less of value is better"},
		{"no direction of one", map[string]string{"command": "a", "parse": "regexp", "pattern": "(?P<tps>a) (?P<x>b)",
			"unit": "tps=op/s"}, "whether more or less of x is better"},
		{"no such direction", map[string]string{"command": "a", "parse": "json", "pattern": "$.a", "better": "up"},
			"better=up is none of unit, higher, and lower"},
		{"a name of the run's", map[string]string{"command": "a", "parse": "json", "pattern": "$.a", "unit": "ms",
			"metric": "time"},
			"named time, as one of the run itself is"},
		{"parse under clients", map[string]string{"command": "a", "parse": "json", "pattern": "$.a", "clients": "2"},
			"single run"},
		{"parse under a rate", map[string]string{"command": "a", "parse": "go", "unit": "s", "rate": "2"}, "single run"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			says(t, workloadtest.Check(Spec(), params(t, tc.set), record.Machine{}), tc.want, "exec: ")
		})
	}
}

// Every default is in the form that a plan hashes, so that leaving a parameter
// out and setting its default are one and the same trial.
func TestDefaultsAreCanonical(t *testing.T) {
	for _, p := range Spec().Params {
		if c, err := p.Canonical(p.Default); err != nil || c != p.Default {
			t.Errorf("%s: default %q has the canonical form %q, %v", p.Name, p.Default, c, err)
		}
	}
}

func FuzzExpand(f *testing.F) {
	f.Add("a {x} {{b} {", "v")
	f.Fuzz(func(t *testing.T, text, value string) {
		lookup := func(name string) (string, bool) { return value, name == "x" }
		for _, tail := range []string{"{x}", "{{"} {
			got, err := expand(text, lookup)
			more, errMore := expand(text+" "+tail, lookup)
			if err != nil {
				continue // the tail may close a brace
			}
			want := got + " " + map[string]string{"{x}": value, "{{": "{"}[tail]
			if errMore != nil || more != want {
				t.Fatalf("expand(%q) = %q, with %q after it %q, %v", text, got, tail, more, errMore)
			}
		}
	})
}

package hostlist

import (
	"reflect"
	"strings"
	"testing"

	"plimsoll/internal/base/usage"
)

func TestParse(t *testing.T) {
	const text = "\ufeff# two of a kind\r\n\r\nweb1 m7g.large eu-west-1a ssh -o 'A B'  web1\r\n  db_2\t-\t-\tkubectl " +
		"exec -i p --\nhere - - -\n"
	want := []Host{
		{Name: "web1", Type: "m7g.large", Zone: "eu-west-1a", Command: "ssh -o 'A B'  web1"},
		{Name: "db_2", Command: "kubectl exec -i p --"}, {Name: "here"},
	}
	got, err := Parse("f", []byte(text))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	again, err := Parse("f", []byte(Format(got)))
	if err != nil || !reflect.DeepEqual(again, want) {
		t.Errorf("what Format writes is read as %+v, %v", again, err)
	}
}

func TestBadLists(t *testing.T) {
	for text, says := range map[string]string{
		"":                                   "there is no host",
		"# all of them are gone\n":           "there is no host",
		"a - -\n":                            "line 1: it has 3 of the 4 fields",
		"a - - ssh a\nb\n":                   "line 2: it has 1 of the 4 fields",
		"-o - - ssh a\n":                     `"-o" is no name`,
		"a/b - - ssh a\n":                    `"a/b" is no name`,
		strings.Repeat("a", 64) + " - - x\n": "is no name",
		"a - - ssh a\na - - ssh b\n":         "two hosts are called a",
		"a - - ssh x\nb - - ssh x\n":         "a and b are one machine: both are reached by ssh x",
		"a - - -\nb - - -\n":                 "a and b are one machine",
		"a - - ssh \x1b[2Jx\n":               "control character",
		"a - - ssh \xff\n":                   "no UTF-8",
	} {
		_, err := Parse("f", []byte(text))
		if err == nil || !strings.Contains(err.Error(), says) || !usage.Is(err) {
			t.Errorf("%q: %v, want %q", text, err, says)
			continue
		}
		if _, hint := usage.Parts(err); hint == "" {
			t.Errorf("%q: no hint: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("web1 m7g.large eu-west-1a ssh web1\n# x\nhere - - -\n")
	f.Add("web1 - - ssh -o 'ProxyCommand a\tb' web1\n")
	f.Fuzz(func(t *testing.T, text string) {
		hosts, err := Parse("f", []byte(text))
		if err != nil {
			if !usage.Is(err) {
				t.Fatalf("no usage error: %v", err)
			}
			return
		}
		again, err := Parse("f", []byte(Format(hosts)))
		if err != nil || !reflect.DeepEqual(again, hosts) {
			t.Fatalf("%q is %+v, and written %q is %+v, %v", text, hosts, Format(hosts), again, err)
		}
	})
}

func TestZones(t *testing.T) {
	got := Zones([]Host{{Command: "ssh a", Zone: "z1"}, {Command: "ssh b"}})
	if len(got) != 1 || got["ssh a"] != "z1" {
		t.Errorf("%v", got)
	}
}

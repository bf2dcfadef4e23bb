package kernfmt_test

import (
	"bytes"
	"reflect"
	"testing"

	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/machine/host/kernfmt"
)

func FuzzFlat(f *testing.F) {
	hosttest.Seed(f, []string{"/proc/vmstat"}, "usage_usec 1\n\nnr_periods 0\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := kernfmt.Flat(b)
		if _, empty := got[""]; empty || err != nil && got != nil {
			t.Errorf("%v, %v", got, err)
		}
	})
}

func FuzzChoice(f *testing.F) {
	hosttest.Seed(f, []string{"/sys/kernel/mm/transparent_hugepage/enabled"}, "[none] mq-deadline\n", "none", "[]",
		"[[a]]")
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := kernfmt.Choice(b)
		if (err == nil) != (got != "") || !bytes.Contains(b, []byte(got)) {
			t.Errorf("%q, %v", got, err)
		}
	})
}

func TestFlat(t *testing.T) {
	got, err := kernfmt.Flat([]byte("a 1\n\nb 18446744073709551615\n"))
	if err != nil || !reflect.DeepEqual(got, map[string]uint64{"a": 1, "b": 1<<64 - 1}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, in := range []string{"a\n", "a -1\n", "a 1 2\n", "a x\n"} {
		if got, err := kernfmt.Flat([]byte(in)); err == nil {
			t.Errorf("%q: %v, want an error", in, got)
		}
	}
}

func TestChoice(t *testing.T) {
	for in, want := range map[string]string{
		"always [madvise] never\n": "madvise", "[none] mq-deadline": "none", "none\n": "none",
		"": "", "a b": "", "[] a": "", "[a": "", "a]": "",
	} {
		got, err := kernfmt.Choice([]byte(in))
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", in, got, err, want)
		}
	}
}

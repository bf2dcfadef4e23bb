package session

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// A bit of every byte of a file is flipped: only that line is lost, and its place is named.
func TestBitFlip(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	whole := smallSession(t, "m", "a")
	path := filepath.Join(memoryDir(t), "s.jsonl")
	start := 0
	for line := range bytes.Lines(whole) {
		end := start + len(line)
		must(t, os.WriteFile(path, slices.Concat(whole[:start], whole[end:]), 0o600))
		rest, err := Read(path)
		must(t, err)
		want := content(t, rest)
		for i := start; i < end; i += simtest.Stride() {
			b := bytes.Clone(whole)
			b[i] ^= 1 << r.IntN(8)
			must(t, os.WriteFile(path, b, 0o600))
			log, err := Read(path)
			must(t, err)
			if got := content(t, log); got != want {
				t.Fatalf("byte %d is now %q: got\n%s\nwant\n%s", i, b[i], got, want)
			}
			named := func(p Problem) bool { return p.File == path && int(p.Offset) >= start && int(p.Offset) < end }
			if !slices.ContainsFunc(log.Problems, named) {
				t.Fatalf("byte %d, in %d..%d, is not named in %v", i, start, end, log.Problems)
			}
		}
		start = end
	}
}

// Two files are joined with the first one cut at every byte: nothing else is lost.
func TestConcatenation(t *testing.T) {
	t.Parallel()
	a, b := smallSession(t, "m", "a"), smallSession(t, "m", "b")
	path := filepath.Join(memoryDir(t), "s.jsonl")
	for cut := 0; cut <= len(a); cut += simtest.Stride() {
		must(t, os.WriteFile(path, slices.Concat(a[:cut], b), 0o600))
		log, err := Read(path)
		must(t, err)
		want := append(wantIDs(a, cut), wantIDs(b, len(b))...)
		if !slices.Equal(ids(log), want) {
			t.Fatalf("cut at %d: trials %v, want %v", cut, ids(log), want)
		}
		if len(log.Problems) > 5 || log.Torn {
			t.Fatalf("cut at %d: torn %v, problems %v", cut, log.Torn, log.Problems)
		}
	}
}

func TestUnreadable(t *testing.T) {
	newer := machineNamed("m", "a")
	newer.Format = record.Format + 1
	newerLine, err := encode(kindMachine, newer)
	must(t, err)
	small := smallSession(t, "m", "a")
	tests := []struct {
		name string
		in   []byte
		want error
		says string
	}{
		{"newer", newerLine, ErrNewer, "(format 2, this build reads up to 1)"},
		{"newer in the middle", append(small, newerLine...), ErrNewer, "newer plimsoll"},
		{"empty", nil, ErrNotSession, "it is empty"},
		{"foreign text", []byte("goos: linux\nPASS\n"), ErrNotSession, "hint: plimsoll import"},
		{"foreign json lines", []byte(`{"kind":"trial","id":"x"}` + "\n"), ErrNotSession, "crc"},
		{"first line torn", small[:40], ErrNotSession, "cut short"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Read(put(t, tt.in))
			var in *usage.Error
			if !errors.As(err, &in) || !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("got %v, want %q", err, tt.says)
			}
		})
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("a missing file: %v", err)
	}
}

// A file with every sort of bad line keeps the valid ones, and reports the others with their position.
func TestBadLines(t *testing.T) {
	small := smallSession(t, "m", "a")
	sealed := func(s string) []byte { return seal([]byte(s)) }
	tests := []struct {
		name string
		bad  []byte
		want string // of the problem
	}{
		{"too long", append(bytes.Repeat([]byte("x"), maxLine+100), '\n'), "longer than 8 MiB"},
		{"not JSON", sealed(`{"kind":"trial",nonsense`), "cannot be decoded"},
		{"wrong type", sealed(`{"kind":"trial","id":7`), "cannot be decoded"},
		{"no id", sealed(`{"kind":"trial","cell":7`), "without an id"},
		{"unknown kind", bytes.Repeat(sealed(`{"kind":"song","id":7`), 3),
			`kind "song" is unknown to this build: skipped (and 2 more such)`},
		{"twice", small, "already read: counted once (and 2 more such)"},
		{"upper-case crc", []byte(`{"kind":"end","plan":"p","crc":"ABCDEF01"}` + "\n"), "cut short"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log, err := Read(put(t, slices.Concat(small, tt.bad, smallSession(t, "n", "b"))))
			must(t, err)
			if want := []string{"a-t0", "a-t1", "a-t2", "b-t0", "b-t1", "b-t2"}; !slices.Equal(ids(log), want) {
				t.Errorf("trials %v, want %v", ids(log), want)
			}
			if len(log.Problems) != 1 || !strings.Contains(log.Problems[0].String(), tt.want) {
				t.Errorf("problems %v, want %q", log.Problems, tt.want)
			}
		})
	}
}

// Thousands of bad lines do not become thousands of messages.
func TestProblemsAreBounded(t *testing.T) {
	log, err := Read(put(t, append(bytes.Repeat([]byte("bad\n"), 5000), smallSession(t, "m", "a")...)))
	must(t, err)
	if n := len(log.Problems); n != maxProblems+1 || log.Problems[n-1].More != 5000-maxProblems-1 {
		t.Fatalf("%d problems, the last %v", n, log.Problems[n-1])
	}
}

// One plan run on two machines that share a name: the same trial IDs, different trials.
func TestCollisions(t *testing.T) {
	var files []string
	for _, id := range []string{"aaaa111", "aaaa222"} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		w, err := Create(path)
		must(t, err)
		must(t, w.Machine(machineNamed("db", id)))
		must(t, addTrial(w, trialOn("db", id, "t")))
		must(t, w.Event(record.Event{Trial: "t", Name: "checkpoint", Detail: id}))
		anonymous := trialOn("db", "", "u")
		anonymous.Start = id
		must(t, w.Trial(anonymous))
		must(t, w.Close())
		files = append(files, path)
	}
	log, err := Read(files...)
	must(t, err)
	var got []string
	for _, trial := range log.Trials {
		series, err := log.Series(trial.ID)
		must(t, err)
		got = append(got, trial.ID+" "+trial.Keys[record.KeyMachine])
		if len(series) > 0 && (len(series) != 2 || series[0].Trial != trial.ID) {
			t.Errorf("trial %s has series %+v", trial.ID, series)
		}
	}
	if want := []string{"t db#1", "u db#1", "t~2 db#2", "u~2 db#2"}; !slices.Equal(got, want) {
		t.Errorf("trials %q, want %q", got, want)
	}
	if names := []string{log.Machines[0].Name, log.Machines[1].Name}; !slices.Equal(names, []string{"db#1", "db#2"}) {
		t.Errorf("machines %q", names)
	}
	if log.Events[0].Trial != "t" || log.Events[1].Trial != "t~2" {
		t.Errorf("events %+v", log.Events)
	}
	if len(log.Problems) != 2 {
		t.Errorf("problems %v, want the two new names", log.Problems)
	}
	joined, err := Read(put(t, append(read(t, files[0]), read(t, files[1])...)))
	must(t, err)
	if content(t, joined) != content(t, log) {
		t.Errorf("the joined file reads\n%s\nand the two\n%s", content(t, joined), content(t, log))
	}
}

func TestSeries(t *testing.T) {
	orphan, err := encode(kindSeries, record.Series{Trial: "a-t0", Name: "ops", Data: "left over"})
	must(t, err)
	// Another writer may order its keys and escape its strings as it likes.
	foreign := seal([]byte(`{"kind":"series","name":"\u006fther","trial":"a-t0"`))
	small := smallSession(t, "m", "a")
	head := bytes.Index(small, []byte(`{"kind":"series"`))
	path := put(t, slices.Concat(small[:head], orphan, foreign, small[head:]))
	log, err := Read(path)
	must(t, err)
	series, err := log.Series("a-t0")
	must(t, err)
	var names []string
	for _, s := range series {
		names = append(names, s.Name)
	}
	if !slices.Equal(names, []string{"ops", "other", "busy"}) || series[0].Data == "left over" {
		t.Errorf("got %+v", series)
	}
	if _, err := log.Series("nobody"); err == nil {
		t.Error("series of a trial that does not exist")
	}
	must(t, os.WriteFile(path, bytes.ReplaceAll(read(t, path), []byte("1/s"), []byte("2/s")), 0o600))
	if _, err := log.Series("a-t0"); !errors.Is(err, errSeal) {
		t.Errorf("a series that was changed since: %v", err)
	}
}

func TestSplitter(t *testing.T) {
	big := strings.Repeat("y", 3*firstBuffer)
	for _, in := range []string{"", "\n", "a", "a\n", "a\n\nb", big + "\nb\n" + big} {
		want := strings.Split(in, "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		s := newSplitter(strings.NewReader(in))
		var got []string
		at := int64(0)
		for l, err := s.next(); err == nil; l, err = s.next() {
			if l.offset != at || l.number != len(got)+1 {
				t.Errorf("line %d at %d, want %d at %d", l.number, l.offset, len(got)+1, at)
			}
			at = l.next
			got = append(got, string(l.text))
		}
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%d lines of %.20q, want %d", len(got), in, len(want))
		}
	}
}

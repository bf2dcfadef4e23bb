package session

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

func someProfile() record.Profile {
	kernel := record.Frame{Function: "copy_user_generic", Module: record.ModuleKernel}
	method := record.Frame{Function: "sun.nio.ch.SocketDispatcher.write0", Module: record.ModuleJava,
		Code: record.Interpreted}
	return record.Profile{Clock: record.ClockCPU, PeriodNs: 10_000_000, Stacks: []record.Stack{
		{Frames: []record.Frame{kernel, method}, Thread: "network-thread-0", N: 7},
		{Frames: []record.Frame{{Module: "libcrypto.so.3"}, method}, N: 2},
		{Thread: "unwalked", N: 1},
	}}
}

func TestProfileGoesThereAndBack(t *testing.T) {
	want := someProfile()
	data, err := EncodeProfile(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeProfile(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if n := got.Samples(); n != 10 {
		t.Errorf("%d samples, want 10", n)
	}
}

func TestProfileTooLarge(t *testing.T) {
	const seed = 1
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, seed))
	var p record.Profile
	for range 20_000 {
		name := make([]byte, 80)
		for i := range name {
			name[i] = byte('0' + random.IntN(75))
		}
		p.Stacks = append(p.Stacks, record.Stack{N: 1, Frames: []record.Frame{{Function: string(name)}}})
	}
	if _, err := EncodeProfile(p); err == nil || !strings.Contains(err.Error(), "over the limit") {
		t.Errorf("a profile of 20,000 stacks: %v", err)
	}
}

func FuzzDecodeProfile(f *testing.F) {
	data, err := EncodeProfile(someProfile())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add("H4sIAAAAAAAA")
	f.Fuzz(func(t *testing.T, data string) {
		p, err := DecodeProfile(data)
		if err != nil {
			return
		}
		if _, err := EncodeProfile(p); err != nil && !strings.Contains(err.Error(), "at most") {
			t.Errorf("what was decoded cannot be encoded: %v", err)
		}
	})
}

// TestProfileBombs: a small series that takes gigabytes once it is parsed is refused before.
func TestProfileBombs(t *testing.T) {
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"60 MB of empty types": {bytes.Repeat([]byte{0x0a, 0}, 30<<20), "over 8388608 bytes"},
		"empty types":          {bytes.Repeat([]byte{0x0a, 0}, 3<<20), "parts"},
		"samples of empty labels": {bytes.Repeat(append([]byte{0x12, 0x80, 0x40}, bytes.Repeat([]byte{0x1a, 0}, 4<<10)...),
			900), "parts"},
		"a sample of many frames": {append([]byte{0x12, 0x83, 0x80, 0x80, 0x03, 0x0a, 0xff, 0xff, 0xff, 0x02},
			make([]byte, 6<<20+3)...), ""},
		"no protocol buffers":     {bytes.Repeat([]byte{0xff}, 100), "not a Protocol Buffers message"},
		"a length beyond the end": {[]byte{0x0a, 0x7f}, "not a Protocol Buffers message"},
		"a sample cut off":        {[]byte{0x12, 2, 0x0a, 0x7f}, "not a Protocol Buffers message"},
	} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(c.text)
		_ = w.Close()
		_, err := DecodeProfile(base64.StdEncoding.EncodeToString(packed.Bytes()))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

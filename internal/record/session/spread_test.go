package session

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"plimsoll/internal/record"
)

func TestSpreads(t *testing.T) {
	const seed = 5
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	many := make([]record.Spread, 300)
	for i := range many {
		value := int64(50_000)
		for range rng.IntN(90) {
			value += 1 + rng.Int64N(9000)
			many[i] = append(many[i], record.Count{Value: value, N: 1 + rng.Int64N(500)})
		}
	}
	tests := [][]record.Spread{
		nil, {nil}, {nil, {{Value: 0, N: 1}}, nil}, {{{Value: math.MaxInt64 - 1, N: math.MaxInt64}}}, {
			{{Value: 3, N: 2}, {Value: 4, N: 1}, {Value: math.MaxInt64, N: 1}}}, many,
	}
	for _, want := range tests {
		data, err := EncodeSpreads(want)
		must(t, err)
		got, err := DecodeSpreads(data)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d steps: got %d, %v", len(want), len(got), err)
		}
		for i := range want {
			if len(want[i])+len(got[i]) > 0 && !reflect.DeepEqual(want[i], got[i]) {
				t.Errorf("step %d: %v, want %v", i, got[i], want[i])
			}
		}
	}
}

func TestSpreadsRefused(t *testing.T) {
	for name, steps := range map[string][]record.Spread{
		"twice the value": {{{Value: 1, N: 1}, {Value: 1, N: 1}}}, "falling": {{{Value: 2, N: 1}, {Value: 1, N: 1}}},
		"negative": {{{Value: -1, N: 1}}}, "never": {{{Value: 1, N: 0}}}, "too many": make([]record.Spread, maxSpreads+1),
	} {
		if _, err := EncodeSpreads(steps); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	packed := func(raw ...byte) string {
		data, err := deflated(raw)
		must(t, err)
		return data
	}
	whole, err := base64.StdEncoding.DecodeString(packed(0))
	must(t, err)
	for name, data := range map[string]string{
		"not base64": "?", "not deflate": "/////w==", "cut short": packed(2, 1, 1), "a count of 0": packed(1, 1, 0),
		"a step of 0":              packed(2, 1, 1, 0, 1),
		"announces more than fits": packed(0xff, 0xff, 0xff, 0xff, 0x0f),
		"value over the top":       packed(1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1),
		"a tail":                   base64.StdEncoding.EncodeToString(append(whole, 0)),
	} {
		if _, err := DecodeSpreads(data); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestQuantiles(t *testing.T) {
	s := record.Spread{{Value: 10, N: 98}, {Value: 20, N: 1}, {Value: 900, N: 1}}
	for q, want := range map[float64]int64{0: 10, .5: 10, .98: 10, .99: 20, 1: 900} {
		if got := s.Quantile(q); got != want {
			t.Errorf("quantile %g is %d, want %d", q, got, want)
		}
	}
	if s.Total() != 100 || record.Spread(nil).Quantile(.5) != 0 {
		t.Error("totals")
	}
}

// FuzzSpreads decodes any text; accepted input must round-trip.
func FuzzSpreads(f *testing.F) {
	data, err := EncodeSpreads([]record.Spread{{{Value: 1000, N: 5}, {Value: 2000, N: 1}}, nil, {{Value: 7, N: 1}}})
	must(f, err)
	f.Add(data)
	f.Add("AQAA//8=")
	f.Fuzz(func(t *testing.T, data string) {
		steps, err := DecodeSpreads(data)
		if err != nil {
			return
		}
		again, err := EncodeSpreads(steps)
		must(t, err)
		back, err := DecodeSpreads(again)
		if err != nil || !reflect.DeepEqual(steps, back) {
			t.Fatalf("%v became %v, %v", steps, back, err)
		}
	})
}

// DecodeSpreads is the inverse of EncodeSpreads.
func DecodeSpreads(data string) ([]record.Spread, error) {
	steps, err := decodeSpreads(data)
	if err != nil {
		return nil, fmt.Errorf("decode a series: %w", err)
	}
	return steps, nil
}

func decodeSpreads(data string) ([]record.Spread, error) {
	packed, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, err
	}
	src := bytes.NewReader(packed)
	r := bufio.NewReader(flate.NewReader(src))
	var steps []record.Spread
	values := 0
	for {
		n, err := binary.ReadUvarint(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if values += int(min(n, maxSpreads+1)); err == nil && (values > maxSpreads || len(steps) == maxSpreads) {
			err = fmt.Errorf("over %d steps or values", maxSpreads)
		}
		if err != nil {
			return nil, err
		}
		s, err := readSpread(r, int(n))
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", len(steps), err)
		}
		steps = append(steps, s)
	}
	if src.Len() > 0 {
		return nil, fmt.Errorf("%d bytes follow its end", src.Len())
	}
	return steps, nil
}

// readSpread allocates as it reads, not as announced.
func readSpread(r io.ByteReader, n int) (record.Spread, error) {
	var s record.Spread
	value := int64(-1)
	for range n {
		step, err := binary.ReadUvarint(r)
		var count uint64
		if err == nil {
			count, err = binary.ReadUvarint(r)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case step == 0 || step > math.MaxInt64 || count == 0 || count > math.MaxInt64 ||
			value >= 0 && int64(step) > math.MaxInt64-value:
			return nil, fmt.Errorf("%d times a value %d above %d", count, step, value)
		}
		value += int64(step)
		s = append(s, record.Count{Value: value, N: int64(count)})
	}
	return s, nil
}

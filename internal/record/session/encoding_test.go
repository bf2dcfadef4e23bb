package session

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
)

func TestWindows(t *testing.T) {
	tests := [][]int64{
		nil, {0}, {math.MinInt64, math.MaxInt64, 0, -1}, {1e9, 1e9 + 5, 1e9 - 7},
		slices.Repeat([]int64{42, 0}, 100_000),
	}
	for _, want := range tests {
		data, err := EncodeWindows(want)
		must(t, err)
		got, err := DecodeWindows(data)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d values: got %d, %v", len(want), len(got), err)
		}
	}
	if _, err := EncodeWindows(make([]int64, maxValues+1)); err == nil {
		t.Error("more values than fit were taken")
	}
}

func TestWindowsRefused(t *testing.T) {
	packed := func(raw []byte, tail ...byte) string {
		var b bytes.Buffer
		w, err := flate.NewWriter(&b, flate.BestCompression)
		must(t, err)
		_, err = w.Write(raw)
		must(t, err)
		must(t, w.Close())
		return base64.StdEncoding.EncodeToString(append(b.Bytes(), tail...))
	}
	tests := map[string]string{
		"not base64":          "?",
		"not deflate":         "/////w==",
		"bomb":                packed(make([]byte, maxValues+1)),
		"half a varint":       packed([]byte{2, 0x80}),
		"a varint too long":   packed(bytes.Repeat([]byte{0xff}, 11)),
		"bytes after the end": packed([]byte{2}, 0),
	}
	for name, data := range tests {
		if got, err := DecodeWindows(data); err == nil {
			t.Errorf("%s: got %d values", name, len(got))
		}
	}
}

func TestHistogram(t *testing.T) {
	h := hdrhistogram.New(1, 3600e9, 3)
	for v := int64(1); v < 1e12; v = v*3 + 1 {
		must(t, h.RecordValues(v, v%7+1))
	}
	data, err := EncodeHistogram(h)
	must(t, err)
	got, err := DecodeHistogram(data)
	must(t, err)
	if !got.Equals(h) || got.SignificantFigures() != 3 {
		t.Errorf("got %d values, want %d", got.TotalCount(), h.TotalCount())
	}
	for _, bad := range []*hdrhistogram.Histogram{nil, hdrhistogram.New(1, 100, 2)} {
		if _, err := EncodeHistogram(bad); err == nil {
			t.Errorf("%v was taken", bad)
		}
	}
	if _, err := DecodeHistogram(data[:len(data)/2]); err == nil {
		t.Error("half of it was read")
	}
}

func FuzzDecodeWindows(f *testing.F) {
	for _, values := range [][]int64{nil, {1, 2, 3}, {math.MinInt64, math.MaxInt64}} {
		data, err := EncodeWindows(values)
		must(f, err)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data string) {
		values, err := DecodeWindows(data)
		if err != nil {
			return
		}
		again, err := EncodeWindows(values)
		must(t, err)
		got, err := DecodeWindows(again)
		if err != nil || !slices.Equal(got, values) {
			t.Fatalf("%v became %v, %v", values, got, err)
		}
	})
}

// Changed bytes seldom get through zlib's checksum, so raw ones are packed here.
func FuzzDecodeHistogram(f *testing.F) {
	h := hdrhistogram.New(1, 1e6, 3)
	must(f, h.RecordValue(12345))
	data, err := EncodeHistogram(h)
	must(f, err)
	packed, err := base64.StdEncoding.DecodeString(data)
	must(f, err)
	z, err := zlib.NewReader(bytes.NewReader(packed[8:]))
	must(f, err)
	raw, err := io.ReadAll(z)
	must(f, err)
	f.Add(raw)
	f.Fuzz(func(t *testing.T, raw []byte) {
		_, _ = DecodeHistogram(string(raw))
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		_, err := z.Write(raw)
		must(t, err)
		must(t, z.Close())
		head := binary.BigEndian.AppendUint32(bytes.Clone(packed[:4]), uint32(b.Len()))
		data := base64.StdEncoding.EncodeToString(append(head, b.Bytes()...))
		h, err := DecodeHistogram(data)
		if err != nil || h.SignificantFigures() != 3 {
			return
		}
		again, err := EncodeHistogram(h)
		must(t, err)
		got, err := DecodeHistogram(again)
		if err != nil || got.TotalCount() != h.TotalCount() {
			t.Fatalf("%d values became %v, %v", h.TotalCount(), got, err)
		}
	})
}

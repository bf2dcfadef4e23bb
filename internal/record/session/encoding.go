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

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/record"
)

// maxValues is the largest number of int64 in a series: 64 MiB.
const maxValues = 64 << 20 / 8

// EncodeWindows encodes one int64 per time step for a series with record.EncWindows: differences (modulo 2^64; the
// first is from 0) as zigzag varints, deflated, in base64. It fails for more than 2^23 values.
func EncodeWindows(values []int64) (string, error) {
	if len(values) > maxValues {
		return "", fmt.Errorf("encode a series: %d values exceed the limit of %d", len(values), maxValues)
	}
	var raw []byte
	prev := int64(0)
	for _, v := range values {
		raw = binary.AppendVarint(raw, v-prev)
		prev = v
	}
	return deflated(raw)
}

// DecodeWindows is the inverse of EncodeWindows. It fails if the result would exceed 64 MiB.
func DecodeWindows(data string) ([]int64, error) { return DecodeWindowsUpTo(data, maxValues) }

// DecodeWindowsUpTo is DecodeWindows for at most so many values.
func DecodeWindowsUpTo(data string, most int) ([]int64, error) {
	packed, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return nil, fmt.Errorf("decode a series: %w", err)
	}
	src := bytes.NewReader(packed)
	values, err := readDeltas(bufio.NewReader(flate.NewReader(src)), most)
	if err == nil && src.Len() > 0 {
		err = fmt.Errorf("%d bytes follow its end", src.Len())
	}
	if err != nil {
		return nil, fmt.Errorf("decode a series: %w", err)
	}
	return values, nil
}

func readDeltas(r io.ByteReader, most int) ([]int64, error) {
	var values []int64
	prev := int64(0)
	for {
		d, err := binary.ReadVarint(r)
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err == nil && len(values) == most {
			err = fmt.Errorf("over %d values", most)
		}
		if err != nil {
			return nil, err
		}
		prev += d
		values = append(values, prev)
	}
}

// EncodeHistogram encodes a histogram of 3 digits for a series with record.EncHistogram: the HdrHistogram V2 compressed
// format in base64.
func EncodeHistogram(h *hdrhistogram.Histogram) (string, error) {
	if h == nil {
		return "", errors.New("encode a histogram: none given")
	}
	if d := h.SignificantFigures(); d != 3 {
		return "", fmt.Errorf("encode a histogram: it has %d digits, need 3", d)
	}
	b, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	if err != nil {
		return "", fmt.Errorf("encode a histogram: %w", err)
	}
	return string(b), nil
}

// DecodeHistogram is the inverse of EncodeHistogram; it reads histograms of 0 to 5 digits.
func DecodeHistogram(data string) (h *hdrhistogram.Histogram, err error) {
	// The library checks its input, but has panicked on foreign bytes before.
	defer func() {
		if p := recover(); p != nil {
			h, err = nil, fmt.Errorf("decode a histogram: %v", p)
		}
	}()
	h, err = hdrhistogram.Decode([]byte(data))
	if err != nil {
		return nil, fmt.Errorf("decode a histogram: %w", err)
	}
	return h, nil
}

// maxSpreads bounds the steps, and the values over all steps, of a series of spreads.
const maxSpreads = 1 << 22

// EncodeSpreads encodes one spread per time step for a series with record.EncSpread: for each its length, and then for
// each value, which must ascend, its difference from the previous one and its count, all as unsigned varints, deflated,
// in base64. It fails for more than 2^22 steps or values.
func EncodeSpreads(steps []record.Spread) (string, error) {
	var raw []byte
	values := 0
	for i, s := range steps {
		if values += len(s); len(steps) > maxSpreads || values > maxSpreads {
			return "", fmt.Errorf("encode a series: over %d steps or values", maxSpreads)
		}
		raw = binary.AppendUvarint(raw, uint64(len(s)))
		prev := int64(-1)
		for _, c := range s {
			if c.Value <= prev || c.N <= 0 {
				return "", fmt.Errorf("encode a series: step %d: %d times the value %d after %d", i, c.N, c.Value, prev)
			}
			raw = binary.AppendUvarint(raw, uint64(c.Value-prev))
			raw = binary.AppendUvarint(raw, uint64(c.N))
			prev = c.Value
		}
	}
	return deflated(raw)
}

// deflated returns the bytes deflated at the best compression, in base64.
func deflated(raw []byte) (string, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err == nil {
		err = w.Close()
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), err
}

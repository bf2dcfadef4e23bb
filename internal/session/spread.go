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

	"plimsoll/internal/record"
)

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
		case step == 0 || step > math.MaxInt64 || count == 0 || count > math.MaxInt64 || value >= 0 && int64(step) > math.MaxInt64-value:
			return nil, fmt.Errorf("%d times a value %d above %d", count, step, value)
		}
		value += int64(step)
		s = append(s, record.Count{Value: value, N: int64(count)})
	}
	return s, nil
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

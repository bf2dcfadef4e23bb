package session

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"fmt"

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

package session

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The Protocol Buffers wire types that occur in a profile.
const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

var errNoProto = errors.New("it is not a Protocol Buffers message")

// countParts rejects a profile with too many parts before it is parsed: it counts its fields, those of its samples and
// locations, and their packed numbers, 16 bytes of which count as a part.
func countParts(text []byte) error {
	n, err := partsOf(text, true)
	if err == nil && n > maxParts {
		err = fmt.Errorf("over %d parts", maxParts)
	}
	return err
}

func partsOf(text []byte, whole bool) (int, error) {
	n := 0
	for len(text) > 0 {
		key, size := binary.Uvarint(text)
		if size <= 0 {
			return n, errNoProto
		}
		text = text[size:]
		length := uint64(0)
		switch key & 7 {
		case wireVarint:
			if _, size = binary.Uvarint(text); size <= 0 {
				return n, errNoProto
			}
			length = uint64(size)
		case wireFixed8:
			length = 8
		case wireFixed4:
			length = 4
		case wireBytes:
			if length, size = binary.Uvarint(text); size <= 0 {
				return n, errNoProto
			}
			text = text[size:]
		default:
			return n, errNoProto
		}
		if length > uint64(len(text)) {
			return n, errNoProto
		}
		n++
		switch field := key >> 3; {
		case !whole:
			n += int(length) / 16
		case key&7 == wireBytes && (field == 2 || field == 4): // Sample, Location
			more, err := partsOf(text[:length], false)
			if err != nil {
				return n, err
			}
			n += more
		}
		text = text[length:]
	}
	return n, nil
}

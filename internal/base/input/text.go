package input

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
)

// sniffBytes is how much of a text is inspected before reading it.
const sniffBytes = 1 << 10

// bom is the byte order mark with which editors and shells of Windows begin UTF-8.
const bom = "\ufeff"

// Text returns a text without its byte order mark. The error identifies what is no UTF-8 text.
func Text(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte(bom)) {
		_, err := in.Discard(len(bom))
		return in, err
	}
	return in, Alien(head)
}

// Unmarked returns a text without its byte order mark.
func Unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte(bom)) }

// ReadText is like ReadFile for a text that a user wrote: it has no byte order mark, and is neither UTF-16 nor
// compressed.
func ReadText(path string, most int64) ([]byte, error) {
	text, err := ReadFile(path, most)
	if err != nil {
		return nil, err
	}
	if err := Alien(text[:min(len(text), sniffBytes)]); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return Unmarked(text), nil
}

// Alien returns an error that identifies the start of an input, or nil for text.
func Alien(head []byte) error {
	for _, k := range []struct{ magic, what string }{
		{"\xff\xfe", "it is UTF-16\nhint: iconv -f UTF-16 -t UTF-8 converts it"},
		{"\xfe\xff", "it is UTF-16\nhint: iconv -f UTF-16 -t UTF-8 converts it"},
		{"\x1f\x8b", "it is compressed by gzip\nhint: gunzip it first"},
		{"\x28\xb5\x2f\xfd", "it is compressed by zstd\nhint: unzstd it first"},
		{"PK\x03\x04", "it is a ZIP archive, as spreadsheets are\nhint: save the sheet as CSV in UTF-8"},
	} {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return errors.New(k.what)
		}
	}
	if !slices.Contains(head, 0) {
		return nil
	}
	for i := 0; i+1 < len(head); i += 2 {
		if (head[i] == 0) == (head[i+1] == 0) {
			return errors.New("it is binary, not text")
		}
	}
	return errors.New("it is UTF-16 without a byte order mark\nhint: iconv -f UTF-16LE -t UTF-8 converts it; UTF-16BE " +
		"if that gives no text")
}

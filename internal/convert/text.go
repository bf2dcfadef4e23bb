package convert

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
)

// sniffBytes is how much of an input is inspected before reading it.
const sniffBytes = 1 << 10

// textOf returns an input without its byte order mark. The error identifies inputs other than UTF-8 text.
func textOf(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(sniffBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		_, err := in.Discard(len("\ufeff"))
		return in, err
	}
	if len(head) == 0 {
		return nil, errors.New("it is empty")
	}
	return in, alien(head)
}

// markup returns an error if a supposed CSV input begins like JSON, HTML or XML.
func markup(in *bufio.Reader) error {
	head, _ := in.Peek(sniffBytes) // an error recurs on reading
	head = bytes.ToLower(bytes.TrimSpace(head))
	for _, k := range []struct{ begin, what string }{
		{"{", "it is JSON, not CSV"}, {"[", "it is JSON, not CSV"},
		{"<!doctype html", "it is an HTML page, not CSV"}, {"<html", "it is an HTML page, not CSV"},
		{"<", "it is XML or HTML, not CSV"},
	} {
		if bytes.HasPrefix(head, []byte(k.begin)) {
			return errors.New(k.what + "\nhint: save or convert the table as CSV, with the names of the columns in " +
				"the first line")
		}
	}
	return nil
}

// alien returns an error that identifies the start of an input, or nil for text.
func alien(head []byte) error {
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

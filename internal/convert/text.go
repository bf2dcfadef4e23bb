package convert

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"plimsoll/internal/input"
)

// sniffBytes is how much of an input is inspected before reading it.
const sniffBytes = 1 << 10

// textOf returns an input that is not empty without its byte order mark. The error identifies inputs other than UTF-8
// text.
func textOf(r io.Reader) (*bufio.Reader, error) {
	in, err := input.Text(r)
	if err != nil {
		return nil, err
	}
	if head, _ := in.Peek(1); len(head) == 0 { // an error recurs on reading
		return nil, errors.New("it is empty")
	}
	return in, nil
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

package convert

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkName refuses the name of something that could not be printed on a line.
func checkName(name string) error {
	if name == "" {
		return errors.New("an empty name")
	}
	return checkText(name, false)
}

// checkText refuses text that is none. A parameter's value, which may be a
// script, may have several lines.
func checkText(text string, lines bool) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is not UTF-8\nhint: iconv -t UTF-8 converts a file", brief(text))
	}
	bad := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && !(lines && (r == '\n' || r == '\t'))
	})
	if bad >= 0 {
		return fmt.Errorf("%s holds a control character\nhint: names are printable text", brief(text))
	}
	return nil
}

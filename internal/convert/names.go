package convert

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkName rejects a name that could not be printed on a line.
func checkName(name string) error {
	if name == "" {
		return errors.New("an empty name")
	}
	return checkText(name, false)
}

// checkText rejects invalid text. The value of a parameter, which may be a script, may have several lines.
func checkText(text string, lines bool) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("%s is not UTF-8\nhint: iconv -t UTF-8 converts a file", brief(text))
	}
	bad := strings.IndexFunc(text, func(r rune) bool {
		return unicode.IsControl(r) && !(lines && (r == '\n' || r == '\t'))
	})
	if bad >= 0 {
		return fmt.Errorf("%s contains a control character\nhint: names must be printable text", brief(text))
	}
	return nil
}

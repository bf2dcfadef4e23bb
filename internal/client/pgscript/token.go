package pgscript

import (
	"errors"
	"fmt"
	"strings"
)

// tokenKind is the kind of a token in an expression.
type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenInteger
	tokenDouble
	tokenVariable
	tokenWord
	tokenSign
)

type token struct {
	kind tokenKind
	text string // without the colon of a variable; words in lower case
}

func (t token) String() string {
	if t.kind == tokenEnd {
		return "the end"
	}
	return fmt.Sprintf("%.40q", t.text)
}

// tokens splits an expression.
func tokens(text string) ([]token, error) {
	var out []token
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
			at++
		case c >= '0' && c <= '9' || c == '.':
			n, k := numberIn(text[at:])
			if n == 0 {
				return nil, errors.New("a full stop is not a number")
			}
			out = append(out, token{k, text[at : at+n]})
			at += n
		case c == ':':
			n := nameIn(text[at+1:])
			if n == 0 {
				return nil, errors.New("a colon is not followed by a variable name")
			}
			out = append(out, token{tokenVariable, text[at+1 : at+1+n]})
			at += 1 + n
		case letter(c):
			n := nameIn(text[at:])
			out = append(out, token{tokenWord, strings.ToLower(text[at : at+n])})
			at += n
		default:
			n := signIn(text[at:])
			if n == 0 {
				return nil, fmt.Errorf("unexpected %.20q", text[at:])
			}
			out = append(out, token{tokenSign, text[at : at+n]})
			at += n
		}
	}
	return out, nil
}

// letter reports whether a name may begin with c: digits may not, so that 12:30 contains no variable.
func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

// nameIn returns the length of the name at the start of the text.
func nameIn[T string | []byte](text T) int {
	n := 0
	for n < len(text) && (letter(text[n]) || n > 0 && text[n] >= '0' && text[n] <= '9') {
		n++
	}
	return n
}

func digitsIn(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}

// numberIn returns the length and kind of the number at the start of the text.
func numberIn(text string) (int, tokenKind) {
	n := digitsIn(text)
	k := tokenInteger
	if n < len(text) && text[n] == '.' {
		fraction := digitsIn(text[n+1:])
		if n+fraction == 0 {
			return 0, k
		}
		n, k = n+1+fraction, tokenDouble
	}
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		e := n + 1
		if e < len(text) && (text[e] == '+' || text[e] == '-') {
			e++
		}
		if d := digitsIn(text[e:]); d > 0 {
			n, k = e+d, tokenDouble
		}
	}
	return n, k
}

// signIn returns the length of the operator or bracket at the start of the text.
func signIn(text string) int {
	for _, long := range []string{"<>", "!=", "<=", ">=", "<<", ">>"} {
		if strings.HasPrefix(text, long) {
			return len(long)
		}
	}
	if strings.IndexByte("+-*/%=<>&|#~(),", text[0]) >= 0 {
		return 1
	}
	return 0
}

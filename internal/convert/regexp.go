package convert

import (
	"errors"
	"fmt"
	"regexp"
)

// regexpFinder finds the capture group of the pattern's last match: tools that report progress print their total last.
func regexpFinder(pattern string) (finder, error) {
	if pattern == "" {
		return nil, errors.New("a regular expression is required\nhint: such as 'rate: ([0-9.]+)', with one group around the number")
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: use the syntax of Go's regexp package", err)
	}
	if n := re.NumSubexp(); n != 1 {
		return nil, fmt.Errorf("%q has %d capture groups instead of one\nhint: put ( ) around the number only; (?: ) groups without capturing", pattern, n)
	}
	return func(out []byte) (float64, error) { return lastMatch(re, out) }, nil
}

func lastMatch(re *regexp.Regexp, out []byte) (float64, error) {
	matches := re.FindAllSubmatch(out, -1)
	if len(matches) == 0 {
		return 0, fmt.Errorf("nothing matches %q in %s\nhint: (?m) at its beginning makes ^ and $ match at each line", re, Excerpt(out))
	}
	f, err := number(string(matches[len(matches)-1][1]))
	if err != nil {
		return 0, fmt.Errorf("the group of %q: %w, in %s", re, err, Excerpt(out))
	}
	return f, nil
}

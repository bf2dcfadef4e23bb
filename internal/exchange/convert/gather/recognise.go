package gather

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/exchange/convert"
)

// headBytes is how much of a file is inspected: progress and logs may stand before a result.
const headBytes = 1 << 20

// FormatOf returns the name of the format that a file has; "" if it can't be read, or is of none or several.
func FormatOf(path string) string {
	file, err := input.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	f, _ := Request{}.format(path, file, false) // without a name if there is an error
	return f.Name
}

// format returns the format of a file; without a name if a file that need not be one is no result.
func (r Request) format(path string, file io.Reader, must bool) (convert.Format, error) {
	if must && r.Format != "" {
		return r.formatOf(path, nil, must)
	}
	head, err := io.ReadAll(io.LimitReader(file, headBytes))
	if err != nil {
		return convert.Format{}, unreadable(err)
	}
	return r.formatOf(path, head, must)
}

// formatOf returns the format of a file by its head. If a format was requested, it is that of each file that must have
// one, and only its files are taken from folders.
func (r Request) formatOf(path string, head []byte, must bool) (convert.Format, error) {
	if must && r.Format != "" {
		all := convert.All()
		return all[slices.IndexFunc(all, func(f convert.Format) bool { return f.Name == r.Format })], nil
	}
	if err := input.Alien(head); err != nil && (must || isResult(head)) {
		return convert.Format{}, usage.Errorf("%s: %w", path, err)
	}
	could := slices.DeleteFunc(convert.Recognise(head),
		func(f convert.Format) bool { return r.Format != "" && f.Name != r.Format })
	switch {
	case len(could) > 1:
		return convert.Format{}, usage.Errorf("%s: it looks like %s\nhint: say which with --format", path,
			names(could, " and "))
	case len(could) == 1:
		return could[0], nil
	}
	if other, hint := convert.OtherTool(head); other != "" && r.Format == "" {
		return convert.Format{}, usage.Errorf("%s: it looks like %s, which is not read\nhint: %s", path, other, hint)
	}
	if must && len(head) == 0 {
		return convert.Format{}, usage.Errorf("%s: it is empty\nhint: plimsoll import FILE reads the output of go test, "+
			"fio, k6, pgbench, wrk and others", path)
	}
	if must {
		return convert.Format{}, usage.Errorf("%s: its format is not recognised: it begins %s\nhint: %s", path, start(head),
			lookedFor())
	}
	return convert.Format{}, nil
}

// isResult reports whether a file of a folder is a result in UTF-16, which must not be passed over in silence.
func isResult(head []byte) bool {
	odd := bytes.HasPrefix(head, []byte("\xfe\xff")) // big endian
	if !odd && !bytes.HasPrefix(head, []byte("\xff\xfe")) {
		return false
	}
	units := make([]uint16, 0, len(head)/2)
	for i := 2; i+1 < len(head); i += 2 {
		low, high := head[i], head[i+1]
		if odd {
			low, high = high, low
		}
		units = append(units, uint16(low)|uint16(high)<<8)
	}
	return len(convert.Recognise([]byte(string(utf16.Decode(units))))) > 0
}

// startBytes bounds the quote of an unknown file.
const startBytes = 60

func start(head []byte) string {
	return fmt.Sprintf("%.*q", startBytes, head)
}

// lookedFor returns the marks of all formats, for a hint.
func lookedFor() string {
	var b strings.Builder
	b.WriteString("set --format if it is one of these")
	for _, f := range convert.All() {
		fmt.Fprintf(&b, "\n  %s: %s", f.Name, f.Marks.Looks)
	}
	return b.String()
}

func names(formats []convert.Format, sep string) string {
	var out []string
	for _, f := range formats {
		out = append(out, f.Name)
	}
	return strings.Join(out, sep)
}

// earlier reports whether a file of a folder repeats or precedes another: a tool that keeps its last result under "new"
// has older ones beside that.
func earlier(path string, f convert.Format) bool {
	const latest = "new"
	dir := filepath.Dir(path)
	return len(f.Marks.Beside) > 0 && filepath.Base(dir) != latest &&
		isFile(filepath.Join(filepath.Dir(dir), latest, filepath.Base(path)))
}

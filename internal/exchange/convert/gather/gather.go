// Package gather finds the results of other tools in files and folders: which file is of which format, and of which
// machine by its folder.
package gather

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/base/input"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/exchange/convert"
	"plimsoll/internal/record/figure"
)

// Stdin is the path of standard input.
const Stdin = "-"

// Request says what to import.
type Request struct {
	Paths  []string
	Format string // of all files; "": each is recognised
	Stdin  io.Reader
	// IsType reports whether a name is that of an instance type; nil: none is known.
	IsType func(name string) bool
}

// Input is a file with results.
type Input struct {
	Path   string
	Format convert.Format
	Name   string // path below the folders common to all inputs

	Named    bool   // it was given, and is not just in a folder
	Folder   string // name of the machine by the folders; "": none
	NoFolder string // why a folder's name was not taken

	beside []string
	home   string // folder in which the tool keeps its results
	stdin  io.Reader
}

// Found are the inputs of a request.
type Found struct {
	Inputs  []Input
	Skipped []string // files of folders that are no results
	Unread  []Unread // results that cannot be read
}

// Unread is a result that cannot be read, and does not keep others from it.
type Unread struct {
	Path  string
	Why   error // a *usage.Error
	Named bool  // it was given, and is not just in a folder
}

// Text returns why a result cannot be read, without its path.
func (u Unread) Text() string {
	text := u.Why.Error()
	if m := regexp.MustCompile(`^:([0-9]+): `).FindStringSubmatch(strings.TrimPrefix(text, u.Path)); m != nil {
		return "line " + m[1] + ": " + strings.TrimPrefix(text, u.Path+m[0])
	}
	return strings.TrimPrefix(text, u.Path+": ")
}

// Find returns the inputs, and what cannot be read. An error for a path that is not there, or of which there is nothing
// but such, is a *usage.Error.
func Find(r Request) (Found, error) {
	var out Found
	for _, path := range r.Paths {
		if err := out.add(r, path); err != nil {
			return Found{}, err
		}
	}
	return out, r.name(out.Inputs)
}

// add adds what is at a path.
func (f *Found) add(r Request, path string) error {
	if path == Stdin {
		one, err := r.standard()
		return f.take(one, "standard input", true, err)
	}
	file, err := input.Open(path)
	if isFolder(err) {
		return f.folder(r, path)
	}
	if err != nil {
		return unreadable(err)
	}
	defer file.Close()
	one := Input{Path: path}
	if one.Format, err = r.format(path, file, true); err == nil {
		err = one.locate()
	}
	return f.take(one, path, true, err)
}

// take adds an input, or why it is none. An error that is not of the input is returned.
func (f *Found) take(one Input, path string, named bool, err error) error {
	switch {
	case err == nil:
		one.Named = named
		f.Inputs = append(f.Inputs, one)
	case usage.Is(err):
		f.Unread = append(f.Unread, Unread{path, err, named})
	default:
		return err
	}
	return nil
}

// folder adds the inputs in a folder, in natural order.
func (f *Found) folder(r Request, path string) error {
	files, err := walk(path)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return f.take(Input{}, path, true, usage.Errorf("%s: there is no file in it\nhint: plimsoll import PATH reads the "+
			"output of other tools", path))
	}
	had := len(f.Inputs) + len(f.Unread)
	for _, file := range files {
		one, err := r.candidate(file)
		if err == nil && one == nil {
			f.Skipped = append(f.Skipped, file)
			continue
		}
		if one == nil {
			one = &Input{}
		}
		if err := f.take(*one, file, false, err); err != nil {
			return err
		}
	}
	if len(f.Inputs)+len(f.Unread) == had {
		f.Unread = append(f.Unread, Unread{path, usage.Errorf("%s: no results in its %s\nhint: %s", path,
			figure.Count(len(files), "file"), lookedFor()), true})
	}
	return nil
}

// candidate returns a folder's file as an input; nil if it is no result.
func (r Request) candidate(path string) (*Input, error) {
	file, err := input.Open(path)
	if err != nil {
		return nil, unreadable(err)
	}
	defer file.Close()
	format, err := r.format(path, file, false)
	if err != nil || format.Name == "" || earlier(path, format) {
		return nil, err
	}
	in := Input{Path: path, Format: format}
	return &in, in.locate()
}

// locate sets the files beside a result and the folder of its tool.
func (in *Input) locate() error {
	in.home = filepath.Dir(in.Path)
	marks := in.Format.Marks
	for _, name := range marks.Beside {
		if path := filepath.Join(in.home, name); path != in.Path && isFile(path) {
			in.beside = append(in.beside, path)
		}
	}
	if marks.Home == nil {
		return nil
	}
	all, err := in.Open()
	if err != nil {
		return err
	}
	defer all.Close()
	text, err := io.ReadAll(io.LimitReader(all, headBytes))
	if err != nil {
		return unreadable(err)
	}
	if below := marks.Home(input.Unmarked(text)); below != "" {
		parent := filepath.Dir(in.home) // a tool keeps its last result and older ones in a folder each
		in.home = strings.TrimSuffix(parent, string(filepath.Separator)+filepath.FromSlash(below))
	}
	return nil
}

// standard returns standard input, with its format.
func (r Request) standard() (Input, error) {
	all := newPeeked(r.Stdin)
	format, err := r.formatOf("standard input", all.head, true)
	return Input{Path: "standard input", Format: format, Name: "standard input", stdin: all}, err
}

// Open returns the bytes of an input: its file, then those beside it.
func (in Input) Open() (io.ReadCloser, error) {
	if in.stdin != nil {
		return io.NopCloser(in.stdin), nil
	}
	var all several
	for _, path := range slices.Concat([]string{in.Path}, in.beside) {
		file, err := input.Open(path)
		if err != nil {
			return nil, errors.Join(unreadable(err), all.Close())
		}
		all = append(all, file)
	}
	return all.joined(), nil
}

// Output returns the name of a session of the paths: that of the one file or folder, or "imported".
func (f Found) Output(paths []string) string {
	if len(paths) != 1 || paths[0] == Stdin {
		return "imported"
	}
	full, err := filepath.Abs(paths[0])
	if err != nil || full == string(filepath.Separator) {
		return "imported"
	}
	name := filepath.Base(full)
	if isFile(full) {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return cmp.Or(strings.TrimLeft(name, ".-"), "imported")
}

// maxNamed bounds the names of files that were passed over.
const maxNamed = 20

// PassedOver returns a sentence about files of folders that are no known results; "" if there are none.
func (f Found) PassedOver() string {
	if len(f.Skipped) == 0 {
		return ""
	}
	named := slices.Clone(f.Skipped[:min(maxNamed, len(f.Skipped))])
	if more := len(f.Skipped) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("passed over %s without results that are recognised: %s", figure.Count(len(f.Skipped), "file"),
		strings.Join(named, ", "))
}

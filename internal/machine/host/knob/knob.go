// Package knob reads and changes settings of the machine: a row of its table for each, with how it is read, which
// values it takes and whom a change affects. What it changes is kept before (package owed), verified after, and put
// back.
package knob

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/kernfmt"
	"plimsoll/internal/machine/host/storage"
	"plimsoll/internal/record"
)

// Knob is one setting of the machine.
type Knob struct {
	record.Param
	Whom string // whom a change affects, for docs/machine.md
	Hint string // what helps if the kernel does not take or keep a value; "": nothing known

	// where returns what holds the setting on a machine, and what a value is there; record.AsFound asks for the places
	// alone. It is nil for what concerns the run's own processes alone, so that there is nothing to put back.
	where func(at At, value string) ([]Setting, error)
	// own returns an error if the run's own processes cannot have a value; nil: every value of its form.
	own func(at At, value string) error
}

// At is where settings are changed.
type At struct {
	Root hostfs.Root
	Data string // directory or device of the run's data; "" if it is not known
	// Disks are named by the user instead of those that hold Data; none if they are not.
	Disks []string
	Group string // control group named by the user; "" if none is
}

// Setting is a knob at one place, such as a disk, with the files of the kernel that hold it.
type Setting struct {
	Name  string // of the parameter
	Value string // as asked for
	Place string // "" is the machine
	Files []File
	hint  string
}

// File is a file of the kernel.
type File struct {
	Path string
	Want string // what is written, and read back; "" leaves it as it is
	// Managed is set if the kernel may keep the value to itself, and then has what was asked for.
	Managed bool
}

// Params declares the settings as parameters of every workload.
func Params() []record.Param {
	var out []record.Param
	for _, k := range All() {
		out = append(out, k.Param)
	}
	var names []string
	for _, p := range Presets() {
		names = append(names, p.Name)
	}
	return append(out,
		record.Param{Name: record.ParamTunePreset, Kind: record.Enum, Default: record.AsFound, Choices: names, Tunes: true,
			Minor: true, Phase: record.Server, Doc: "several settings of the machine by one name"},
		record.Param{Name: record.ParamTuneDisks, Kind: record.Text, Tunes: true, Minor: true, Phase: record.Server,
			Doc: "disks whose settings are changed, such as nvme0n1 nvme1n1, instead of those that hold the data"},
		record.Param{Name: record.ParamTuneGroup, Kind: record.Text, Tunes: true, Minor: true, Phase: record.Server,
			Doc: "control group that tune.cpu_limit limits, such as system.slice/postgresql.service, instead of one of the " +
				"processes that are started"})
}

// Refusal is why a machine cannot have a value.
type Refusal struct {
	Name, Value string
	Err         error
}

func (r Refusal) Error() string { return fmt.Sprintf("%s=%s: %v", r.Name, r.Value, r.Err) }

func (r Refusal) Unwrap() error { return r.Err }

// Find returns the settings that a run's parameters name, with those that it leaves as they are. The errors are
// Refusals, one for each value that is not to be had.
func Find(at At, params record.Params) (out []Setting, refused []error) {
	refuse := func(name string, err error) { refused = append(refused, Refusal{name, params[name], err}) }
	disks, err := named(at.Root, params[record.ParamTuneDisks])
	if err != nil {
		refuse(record.ParamTuneDisks, err)
		return nil, refused
	}
	at.Disks, at.Group = disks, params[record.ParamTuneGroup]
	for _, k := range All() {
		value, ok := params[k.Name]
		if !ok {
			continue
		}
		if k.own != nil && value != record.AsFound {
			if err := k.own(at, value); err != nil {
				refuse(k.Name, err)
				continue
			}
		}
		if k.where == nil {
			continue
		}
		all, err := k.where(at, value)
		if err == nil {
			err = allHere(all)
		}
		switch {
		case err == nil:
		case value == record.AsFound: // there is nothing that others could change
			continue
		default:
			refuse(k.Name, err)
			continue
		}
		for _, s := range all {
			s.Name, s.Value, s.hint = k.Name, value, k.Hint
			out = append(out, s)
		}
	}
	return out, refused
}

// allHere returns an error unless every file is there and lists the value that is wanted, if it lists any.
func allHere(all []Setting) error {
	for _, s := range all {
		for _, f := range s.Files {
			b, err := os.ReadFile(f.Path)
			if err != nil {
				return lacking(s.Place, f.Path, err)
			}
			if choices := choicesIn(f.Path, string(b)); f.Want != "" && len(choices) > 0 && !slices.Contains(choices, f.Want) {
				return fmt.Errorf("%s is %s, of %s", in(s.Place, f.Path), one(string(b)), strings.Join(choices, ", "))
			}
		}
	}
	return nil
}

func lacking(place, path string, err error) error {
	if hostfs.NotHere(err) {
		return fmt.Errorf("%s does not have it here: there is no %s", orMachine(place), path)
	}
	return fmt.Errorf("%s: %w", orMachine(place), err)
}

func orMachine(place string) string {
	if place == "" {
		return "the kernel"
	}
	return place
}

func in(place, path string) string {
	if place == "" {
		return path
	}
	return "that of " + place
}

// choicesIn returns the words that a file lists, one of them in brackets, or those of the file beside it that lists
// them; none if any value may be written.
func choicesIn(path, text string) []string {
	if strings.Contains(text, "[") {
		return strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(text))
	}
	for name, list := range map[string]string{"scaling_governor": "scaling_available_governors",
		"current_clocksource": "available_clocksource"} {
		if filepath.Base(path) == name {
			text, _ := hostfs.ReadText(filepath.Join(filepath.Dir(path), list))
			return strings.Fields(text)
		}
	}
	return nil
}

// one returns the value that a file holds: the word in brackets, if it lists several.
func one(text string) string {
	if strings.Contains(text, "[") {
		if word, err := kernfmt.Choice([]byte(text)); err == nil {
			return word
		}
	}
	return strings.TrimSpace(text)
}

// read returns the value that a file holds.
func read(path string) (string, error) {
	b, err := os.ReadFile(path)
	return one(string(b)), err
}

// write writes a value to a file of the kernel, which is there.
func write(path, value string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value)
	return errors.Join(err, f.Close())
}

// named returns the disks that a text names.
func named(root hostfs.Root, text string) ([]string, error) {
	var out []string
	for _, name := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		name = strings.TrimPrefix(name, "/dev/")
		if strings.ContainsAny(name, "/\x00") || name == "." || name == ".." || !hostfs.IsDir(root.SysPath("block", name)) {
			return nil, fmt.Errorf("%.40q is no disk here: /sys/block has %s", name, strings.Join(blocks(root), ", "))
		}
		out = append(out, name)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func blocks(root hostfs.Root) []string {
	entries, _ := os.ReadDir(root.SysPath("block"))
	out := map[string]bool{}
	for _, e := range entries {
		out[e.Name()] = true
	}
	return slices.Sorted(maps.Keys(out))
}

// disks returns the disks whose settings are meant: those that are named, or those below the data.
func (at At) disks() ([]string, error) {
	if len(at.Disks) > 0 {
		return at.Disks, nil
	}
	if at.Data == "" {
		return nil, errors.New("it is not known here where the data lie: --set " + record.ParamTuneDisks + "=NAME names " +
			"the disk")
	}
	where, err := storage.Of(at.Root, existing(at.Data))
	if err != nil {
		return nil, err
	}
	if len(where.Disks) == 0 {
		return nil, fmt.Errorf("%s lies on no disk that is seen here: %s; --set %s=NAME names another", at.Data,
			where.Through,
			record.ParamTuneDisks)
	}
	return where.Disks, nil
}

// existing returns the path, or the nearest directory above it that is there: a run's directory is made later.
func existing(path string) string {
	path, err := filepath.Abs(path)
	for err == nil {
		if _, gone := os.Lstat(path); !errors.Is(gone, fs.ErrNotExist) || path == filepath.Dir(path) {
			break
		}
		path = filepath.Dir(path)
	}
	return path
}

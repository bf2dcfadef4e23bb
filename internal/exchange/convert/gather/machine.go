package gather

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/exchange/convert"
)

// name sets the inputs' names and machines by their folders. A machine is the first folder below those that all paths
// share: results/m6i/a.txt and results/m7g/a.txt are of m6i and m7g.
func (r Request) name(inputs []Input) error {
	tops, err := r.tops(inputs)
	if err != nil {
		return err
	}
	shared := common(tops)
	for i := range inputs {
		if in := &inputs[i]; in.stdin == nil {
			if err := r.nameOne(in, shared); err != nil {
				return err
			}
		}
	}
	return nil
}

// nameOne names an input by its path below the shared folders.
func (r Request) nameOne(in *Input, shared []string) error {
	full, err := filepath.Abs(in.Path)
	if err != nil {
		return err
	}
	home, err := filepath.Abs(in.home)
	if err != nil {
		return err
	}
	in.Name = strings.Join(parts(full)[len(shared):], "/")
	below := parts(home)[min(len(shared), len(parts(home))):]
	switch {
	case len(below) > 0:
		in.Folder, in.NoFolder = machineOf(below[0])
	case len(shared) > 0 && r.IsType != nil && r.IsType(shared[len(shared)-1]):
		in.Folder = shared[len(shared)-1]
	case filepath.Dir(filepath.Clean(in.Path)) != "." && len(shared) > 0:
		if name, _ := machineOf(shared[len(shared)-1]); name != "" {
			in.NoFolder = fmt.Sprintf("--machine %s if its folder is named after it", convert.Quoted(name))
		}
	}
	return nil
}

// tops returns the folders of the request, each by its elements; the folder of a file.
func (r Request) tops(inputs []Input) ([][]string, error) {
	var out [][]string
	for _, path := range r.Paths {
		if path == Stdin {
			continue
		}
		dir := path
		if st, err := os.Stat(path); err == nil && !st.IsDir() {
			dir = filepath.Dir(path)
			if at := slices.IndexFunc(inputs, func(in Input) bool { return in.Path == path }); at >= 0 {
				dir = inputs[at].home
			}
		}
		full, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		out = append(out, parts(full))
	}
	return out, nil
}

func parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return r == filepath.Separator })
}

// common returns the elements with which all paths begin.
func common(paths [][]string) []string {
	if len(paths) == 0 {
		return nil
	}
	out := paths[0]
	for _, path := range paths[1:] {
		n := 0
		for n < min(len(out), len(path)) && out[n] == path[n] {
			n++
		}
		out = out[:n]
	}
	return out
}

// machineOf returns the machine of a folder, or why its name is none: repetitions and tools have folders too.
func machineOf(folder string) (machine, why string) {
	lower := strings.ToLower(folder)
	isFormat := slices.ContainsFunc(convert.All(), func(f convert.Format) bool { return f.Name == lower })
	switch {
	case regexp.MustCompile(
		`^(?:run|rep|repeat|repetition|replicate|trial|iter|iteration|round|attempt|pass|r|n)?[-_.]?[0-9]+$`).
		MatchString(lower):
		return "", fmt.Sprintf("the folder %s looks like the number of a repetition", convert.Quoted(folder))
	case isFormat, slices.Contains(usualFolders(), lower):
		return "", fmt.Sprintf("the folder %s has no name of a machine", convert.Quoted(folder))
	}
	return folder, ""
}

// usualFolders returns names of folders that hold results of any machine.
func usualFolders() []string {
	return []string{"bench", "benchmark", "benchmarks", "build", "data", "logs", "out", "output", "raw", "reports",
		"results", "target", "tests", "tmp"}
}

package html

import (
	"fmt"
	"html/template"
	"io"
)

// SessionLine is a session in a list of them.
type SessionLine struct {
	File, Changed   string
	Machines, Plans []string
	Trials, Void    int    // void ones are among the trials
	Problem         string // why it cannot be read; "": it can
}

// Index writes the list of a directory's sessions, of which each has its report at report?file=NAME, and several have one together.
// The errors are the writer's.
func Index(w io.Writer, dir string, sessions []SessionLine) error {
	code, err := readInline()
	if err != nil {
		return err
	}
	t, err := template.New("index.tmpl").Funcs(template.FuncMap{
		"style":  func() template.CSS { return template.CSS(code.style) },
		"policy": code.listPolicy,
	}).ParseFS(Assets, "assets/index.tmpl")
	if err != nil {
		return fmt.Errorf("reading the list's template: %w", err)
	}
	if err := t.Execute(w, map[string]any{"Dir": dir, "Sessions": sessions}); err != nil {
		return fmt.Errorf("writing the list: %w", err)
	}
	return nil
}

// listPolicy lets a browser run nothing, and send the form to where the list is from.
func (in inline) listPolicy() string {
	return fmt.Sprintf("default-src 'none'; style-src %s; base-uri 'none'; form-action 'self'", hashOf(in.style))
}

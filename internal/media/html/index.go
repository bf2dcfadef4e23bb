package html

import (
	"fmt"
	"html/template"
	"io"
)

// SessionLine is one session of a list.
type SessionLine struct {
	File, Changed   string
	Machines, Plans []string
	Trials, Void    int    // void ones are among the trials
	Problem         string // the reason if it cannot be read, else ""
}

// Index writes the list of a directory's sessions, with a link to each one's report at report?file=NAME and a form for
// a joint report of several. It returns the writer's error.
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

// listPolicy returns the content security policy of the list: no scripts, and the form goes to the list's origin only.
func (in inline) listPolicy() string {
	return fmt.Sprintf("default-src 'none'; style-src %s; base-uri 'none'; form-action 'self'", hashOf(in.style))
}

package engine

import "fmt"

// Install is what was found: a program, or a directory of what was set up.
type Install struct {
	Name    string    `json:"name"`
	Path    string    `json:"path"`
	Version string    `json:"version"`
	From    string    `json:"from"`           // how it was found: "PATH", "cache", the name of an environment variable, a directory
	Uses    []Install `json:"uses,omitempty"` // what it runs on, such as a Java runtime
}

// Keys are what of an install belongs to a trial's identity: "engine.NAME" and
// the version, also for what it runs on.
func (in Install) Keys() map[string]string {
	keys := map[string]string{"engine." + in.Name: in.Version}
	for _, u := range in.Uses {
		for k, v := range u.Keys() {
			keys[k] = v
		}
	}
	return keys
}

// Use is the install of that name that in runs on; false where there is none.
func (in Install) Use(name string) (Install, bool) {
	for _, u := range in.Uses {
		if u.Name == name {
			return u, true
		}
	}
	return Install{}, false
}

// Missing is an engine, or a part of one, that is not here, or not as it was set up, and can be set up.
type Missing struct {
	Engine  string
	What    string // that is missing, where it is not the engine itself
	Looked  string // where it was looked for
	Changed string // what is wrong with it, where it is there
}

func (m *Missing) Error() string {
	if m.Changed != "" {
		return fmt.Sprintf("%s: %s in %s %s, so that nothing of it is started\nhint: plimsoll setup %s", m.Engine, m.What, m.Looked, m.Changed, m.Engine)
	}
	what := m.What
	if what == "" {
		what = "it"
	}
	return fmt.Sprintf("%s: %s is not in %s\nhint: plimsoll setup %s", m.Engine, what, m.Looked, m.Engine)
}

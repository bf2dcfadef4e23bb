package engine

import "fmt"

// Install is a found program, or the directory of a setup.
type Install struct {
	Name    string    `json:"name"`
	Path    string    `json:"path"`
	Version string    `json:"version"`
	From    string    `json:"from"`           // how it was found: "PATH", "cache", an environment variable, a directory
	Uses    []Install `json:"uses,omitempty"` // runtime dependencies, such as a Java runtime
}

// Keys returns an install's part of a trial's identity: "engine.NAME" and the version, including its dependencies.
func (in Install) Keys() map[string]string {
	keys := map[string]string{"engine." + in.Name: in.Version}
	for _, u := range in.Uses {
		for k, v := range u.Keys() {
			keys[k] = v
		}
	}
	return keys
}

// Use returns in's dependency of that name, or false if there is none.
func (in Install) Use(name string) (Install, bool) {
	for _, u := range in.Uses {
		if u.Name == name {
			return u, true
		}
	}
	return Install{}, false
}

// Missing is the error of an engine, or a part of one, that is absent, or not as it was set up, and that can be set
// up.
type Missing struct {
	Engine  string
	What    string // missing part, if not the engine itself
	Looked  string // searched places
	Changed string // what is wrong with it, if it is present
}

func (m *Missing) Error() string {
	if m.Changed != "" {
		return fmt.Sprintf("%s: %s in %s %s, so it is not "+
			"started\nhint: plimsoll setup %s", m.Engine, m.What, m.Looked, m.Changed, m.Engine)
	}
	what := m.What
	if what == "" {
		what = "it"
	}
	return fmt.Sprintf("%s: %s is not in %s\nhint: plimsoll setup %s", m.Engine, what, m.Looked, m.Engine)
}

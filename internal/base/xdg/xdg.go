// Package xdg finds a user's own directories by the XDG Base Directory specification.
package xdg

import "path/filepath"

// A Base is one of the specification's directories: its variable, and its place below HOME without that.
type Base struct{ Variable, below string }

// Cache has what can be made again.
func Cache() Base { return Base{"XDG_CACHE_HOME", ".cache"} }

// Config has what the user has set.
func Config() Base { return Base{"XDG_CONFIG_HOME", ".config"} }

// State has what is to outlive a run, and is neither.
func State() Base { return Base{"XDG_STATE_HOME", ".local/state"} }

// Dir returns our directory in it, whether it exists or not; "" if neither the variable nor HOME says where. The
// specification ignores a variable that is no absolute path.
func (b Base) Dir(env func(string) string) string {
	at := env(b.Variable)
	if !filepath.IsAbs(at) {
		home := env("HOME")
		if home == "" {
			return ""
		}
		at = filepath.Join(home, b.below)
	}
	return filepath.Join(at, "plimsoll")
}

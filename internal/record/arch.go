package record

import "strings"

// GoArch returns Go's name of an architecture, by what uname, clouds or Go call it; false if there is no program for
// it.
func GoArch(name string) (arch string, ok bool) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "x86_64", "amd64":
		return "amd64", true
	case "aarch64", "arm64":
		return "arm64", true
	}
	return "", false
}

package issue

import (
	"strings"

	"golang.org/x/mod/semver"
)

// Versions are those of a program that have a defect. The zero value has none.
type Versions struct {
	Of   string // the program, such as java
	From string // the first version with the defect; "": any
	// the first versions of release lines without it, such as 11.0.19 and 17.0.7; none: no version is without it
	Fixed []string
	Last  string // the last major version with it, beside the lines of Fixed; "" if the last of Fixed says so
}

// Affects reports whether a version has the defect; false for one that is not exact enough to tell.
func (r Versions) Affects(version string) bool {
	version = r.plain(version)
	v := canonical(version)
	if v == "" || r.From != "" && semver.Compare(v, canonical(r.From)) < 0 {
		return false
	}
	for _, fixed := range r.Fixed {
		if f := canonical(fixed); len(r.Fixed) > 1 && semver.Major(f) == semver.Major(v) {
			return semver.Compare(v, f) < 0 && strings.Count(version, ".") >= strings.Count(fixed, ".")
		}
	}
	switch {
	case r.Last != "":
		return semver.Compare(semver.Major(v), semver.Major(canonical(r.Last))) <= 0
	case len(r.Fixed) == 0:
		return r.From != ""
	}
	return semver.Compare(v, canonical(r.Fixed[len(r.Fixed)-1])) < 0 &&
		(strings.Contains(version, ".") || semver.Major(v) != semver.Major(canonical(r.Fixed[0])))
}

// plain returns the leading figures of a version. Java up to 8 called itself 1.8.0_402.
func (r Versions) plain(version string) string {
	if r.Of == "java" {
		version = strings.TrimPrefix(version, "1.")
	}
	end := strings.IndexFunc(version, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
	if end >= 0 {
		version = version[:end]
	}
	return version
}

// String returns the range as people write it: "java to 17, before 11.0.19 and 17.0.7"; "" for the zero value.
func (r Versions) String() string {
	text := r.Of
	if r.From != "" {
		text += " from " + r.From
	}
	if r.Last != "" {
		text += " to " + r.Last + ","
	}
	if len(r.Fixed) > 0 {
		text += " before " + strings.Join(r.Fixed, " and ")
	}
	return text
}

// canonical returns the figures of a version as semver has them, "" if there are none.
func canonical(version string) string {
	parts := strings.Split(strings.Trim(version, "."), ".")
	for i, p := range parts {
		parts[i] = strings.TrimLeft(p, "0")
		if parts[i] == "" && p != "" {
			parts[i] = "0"
		}
	}
	return semver.Canonical("v" + strings.Join(parts[:min(len(parts), 3)], "."))
}

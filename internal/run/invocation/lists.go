package invocation

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

// several measures at each of several values that one setting gives, separated by commas: of numbers they are a sweep,
// of words the sides of a comparison. It returns false if the setting is one value, or none, which is told later.
func several(req *plan.Request, key, text string, decls []record.Workload) (done bool, err error) {
	decl, ok := declared(key, decls)
	if !ok || decl.Kind == record.Text {
		return false, nil
	}
	if _, err := decl.Canonical(text); err == nil {
		return false, nil
	}
	all := values(text)
	for _, v := range all {
		if _, err := decl.Canonical(v); err != nil {
			return false, noRange(key, text, decl)
		}
	}
	if decl.Kind == record.Enum || decl.Kind == record.Bool || decl.Tunes && slices.Contains(all, record.AsFound) {
		req.Factors = append(req.Factors, plan.Vary(key, all))
		return true, nil
	}
	return true, req.Sweep(key, all, decls)
}

// noRange returns the error of numbers that are written as a range, or between blanks; nil for another text.
func noRange(key, text string, decl record.Param) error {
	if decl.Kind == record.Enum || decl.Kind == record.Bool {
		return nil
	}
	parts := regexp.MustCompile(`\.\.|[-: ;]`).Split(strings.TrimSpace(text), -1)
	if len(parts) < 2 {
		return nil
	}
	for _, p := range parts {
		if _, err := decl.Canonical(p); err != nil {
			return nil
		}
	}
	if at, end := decl.Number(parts[0]), decl.Number(parts[len(parts)-1]); len(parts) == 2 && decl.Kind == record.Int &&
		at > 0 {
		parts = nil
		for ; at < end; at *= 2 {
			parts = append(parts, strconv.Itoa(int(at)))
		}
		parts = append(parts, strconv.Itoa(int(end)))
	}
	_, name, _ := strings.Cut(key, ".")
	return usage.Errorf("%s: %q is not one value, nor several separated by commas\nhint: --%s %s measures at each",
		key, text, flagOf(name), strings.Join(parts, ","))
}

// declared returns the declaration of a parameter by WORKLOAD.NAME.
func declared(key string, decls []record.Workload) (record.Param, bool) {
	workload, name, _ := strings.Cut(key, ".")
	for _, d := range decls {
		if record.Tunes(key) { // of every workload
			return d.Param(key)
		}
		if d.Name == workload {
			return d.Param(name)
		}
	}
	return record.Param{}, false
}

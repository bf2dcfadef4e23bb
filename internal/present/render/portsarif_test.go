package render

import (
	"testing"

	"plimsoll/internal/analysis/port"
)

// TestSARIFIsValid: the schema of SARIF 2.1.0 takes what port writes, also of names that are no URIs, and of nothing
// found.
func TestSARIFIsValid(t *testing.T) {
	found := port.Report{}
	for i, file := range []string{"src/crc.c", "a b%zz.c", "lib.jar!/native/lib.so", "c:d.s", "ü\x01.py"} {
		for _, s := range port.Severities() {
			found.Findings = append(found.Findings,
				port.Finding{Check: "x86-code", Severity: s, File: file, Line: i, Says: "includes immintrin.h", Remedy: "guard it"})
		}
	}
	for _, r := range []port.Report{found, {}} {
		if err := sarifOf(r, "0.1.0").Validate(); err != nil {
			t.Errorf("%d findings: %v", len(r.Findings), err)
		}
	}
	if got, want := uriOf("a b%zz.c"), "a%20b%25zz.c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

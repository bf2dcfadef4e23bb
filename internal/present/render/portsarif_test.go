package render

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

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
		var text bytes.Buffer
		if err := portSARIF(&text, r, "0.1.0"); err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(bytes.NewReader(text.Bytes()))
		d.DisallowUnknownFields()
		if err := d.Decode(new(sarif.Report)); err != nil {
			t.Errorf("%d findings: %v", len(r.Findings), err)
		}
		read, err := sarif.FromBytes(text.Bytes())
		if err == nil { // Validate wants defaults of the schema that a document may leave out
			run := read.Runs[0]
			run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en-US", "en-US", []string{"\n"}
			err = read.Validate()
		}
		if err != nil {
			t.Errorf("%d findings: %v", len(r.Findings), err)
		} else if got := len(read.Runs[0].Results); got != len(r.Findings) {
			t.Errorf("%d results of %d findings", got, len(r.Findings))
		}
	}
	if got, want := uriOf("a b%zz.c"), "a%20b%25zz.c"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

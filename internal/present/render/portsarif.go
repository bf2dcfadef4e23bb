package render

import (
	"fmt"
	"io"
	"net/url"

	"github.com/owenrumney/go-sarif/v3/pkg/report"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"plimsoll/internal/analysis/finding/porting"
	"plimsoll/internal/analysis/port"
)

// portSARIF writes what stands in the way of arm64 as SARIF 2.1.0, as code review shows it. The error is the writer's.
func portSARIF(w io.Writer, r port.Report, version string) error {
	return sarifOf(r, version).PrettyWrite(w)
}

func sarifOf(r port.Report, version string) *sarif.Report {
	run := sarif.NewRun().
		WithTool(sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("plimsoll").WithVersion(version)))
	run.WithResults([]*sarif.Result{})
	for _, f := range r.Findings {
		run.AddRule(f.Check).WithDescription(port.DocOf(f.Check))
		place := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(uriOf(f.File)))
		if f.Line > 0 {
			place.WithRegion(sarif.NewRegion().WithStartLine(f.Line))
		}
		run.CreateResultForRule(f.Check).WithLevel(sarifLevel(f.Severity)).
			WithMessage(sarif.NewTextMessage(fmt.Sprintf("%s: %s. Remedy: %s.", f.Severity, porting.SaysOf(f), f.Remedy))).
			AddLocation(sarif.NewLocationWithPhysicalLocation(place))
	}
	out := report.NewV210Report()
	out.AddRun(run)
	return out
}

// sarifLevel returns SARIF's word for a severity.
func sarifLevel(s port.Severity) string {
	switch s {
	case port.WillNotBuild, port.WillNotRun:
		return "error"
	case port.RunsSlowly:
		return "warning"
	}
	return "note"
}

// uriOf returns a path as a relative reference of a URI: SARIF takes nothing else, and a name may hold blanks or a
// colon.
func uriOf(path string) string { return (&url.URL{Path: path}).String() }

package render

import (
	"fmt"
	"io"

	"github.com/owenrumney/go-sarif/v3/pkg/report"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"plimsoll/internal/finding/porting"
	"plimsoll/internal/port"
)

// portSARIF writes what stands in the way of arm64 as SARIF 2.1.0, as code review shows it. The error is the writer's.
func portSARIF(w io.Writer, r port.Report, version string) error {
	run := sarif.NewRun().WithTool(sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("plimsoll").WithVersion(version)))
	run.WithResults([]*sarif.Result{})
	for _, f := range r.Findings {
		run.AddRule(f.Check).WithDescription(port.DocOf(f.Check))
		place := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewSimpleArtifactLocation(f.File))
		if f.Line > 0 {
			place.WithRegion(sarif.NewRegion().WithStartLine(f.Line))
		}
		run.CreateResultForRule(f.Check).WithLevel(sarifLevel(f.Severity)).
			WithMessage(sarif.NewTextMessage(fmt.Sprintf("%s: %s. Remedy: %s.", f.Severity, porting.SaysOf(f), f.Remedy))).
			AddLocation(sarif.NewLocationWithPhysicalLocation(place))
	}
	out := report.NewV210Report()
	out.AddRun(run)
	return out.PrettyWrite(w)
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

package render

import (
	"fmt"
	"io"
	"net/url"
	"slices"

	"plimsoll/internal/analysis/finding/porting"
	"plimsoll/internal/analysis/port"
	"plimsoll/internal/present/media/json"
)

// sarifLog is the part of SARIF 2.1.0 that a list of findings needs
// (docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html, sections 3.13 to 3.30).
type sarifLog struct {
	Schema  string     `json:"$schema"` // required by GitHub's code scanning
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Name    string      `json:"name"`
			Version string      `json:"version"`
			Rules   []sarifRule `json:"rules"`
		} `json:"driver"`
	} `json:"tool"`
	Results []sarifResult `json:"results"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"` // in the driver's rules
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"` // nil: the whole file
	} `json:"physicalLocation"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"` // from 1 on
}

// portSARIF writes the obstacles to arm64 as SARIF 2.1.0, which code review shows. The error is the writer's.
func portSARIF(w io.Writer, r port.Report, version string) error {
	return json.Write(w, sarifOf(r, version))
}

func sarifOf(r port.Report, version string) sarifLog {
	run := sarifRun{Results: []sarifResult{}}
	driver := &run.Tool.Driver
	driver.Name, driver.Version, driver.Rules = "plimsoll", version, []sarifRule{}
	for _, f := range r.Findings {
		rule := slices.IndexFunc(driver.Rules, func(r sarifRule) bool { return r.ID == f.Check })
		if rule < 0 {
			rule = len(driver.Rules)
			driver.Rules = append(driver.Rules, sarifRule{f.Check, sarifText{port.DocOf(f.Check)}})
		}
		var at sarifLocation
		at.PhysicalLocation.ArtifactLocation.URI = uriOf(f.File)
		if f.Line > 0 {
			at.PhysicalLocation.Region = &sarifRegion{f.Line}
		}
		text := fmt.Sprintf("%s: %s. Remedy: %s.", f.Severity, porting.SaysOf(f), f.Remedy)
		run.Results = append(run.Results,
			sarifResult{f.Check, rule, sarifLevel(f.Severity), sarifText{text}, []sarifLocation{at}})
	}
	return sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}
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

// uriOf returns a path as a relative reference of a URI: SARIF takes nothing else, and a name may have blanks or a
// colon.
func uriOf(path string) string { return (&url.URL{Path: path}).String() }

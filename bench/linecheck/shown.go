package main

import (
	"regexp"
	"strconv"
)

// document is the part of `plimsoll show --json` that states a load line.
type document struct {
	Findings []struct {
		Kind  string `json:"kind"`
		Body  *line  `json:"body"`
		Notes []struct {
			Code string `json:"code"`
			Text string `json:"text"`
		} `json:"notes"`
	} `json:"findings"`
}

type line struct {
	Statistic    string   `json:"statistic"`
	MaxSustained float64  `json:"max_sustained"`
	Crossed      bool     `json:"crossed"`
	AtMost       *float64 `json:"at_most"`
	Between      *struct {
		Within   bound  `json:"within"`
		Above    *bound `json:"above"`
		Contrary int    `json:"contrary"`
		Higher   int    `json:"higher"`
	} `json:"between"`
	OneSearch *struct {
		Lo float64 `json:"lo"`
		Hi float64 `json:"hi"`
	} `json:"one_search"`
	Confirmations []struct {
		Load      float64 `json:"load"`
		Confirmed bool    `json:"confirmed"`
	} `json:"confirmations"`
	Probes []struct {
		Level float64 `json:"level"`
		Value float64 `json:"value"`
	} `json:"probes"`
}

type bound struct {
	Load    float64  `json:"load"`
	Latency *float64 `json:"latency"`
}

func (b bound) seconds() float64 {
	if b.Latency == nil {
		return 0
	}
	return *b.Latency
}

// statement returns what a document states of the line of a statistic.
func (d document) statement(statistic string) statement {
	reason := "no finding"
	for _, f := range d.Findings {
		if f.Kind != "loadline" {
			continue
		}
		if f.Body != nil && f.Body.Statistic == statistic {
			return f.Body.statement()
		}
		for _, n := range f.Notes {
			if s, ok := belowOf(n.Code, n.Text); ok && f.Body == nil {
				return s
			}
			reason = n.Code
		}
	}
	return statement{kind: "none", reason: reason}
}

func (l line) statement() statement {
	s := statement{kind: "least", at: l.MaxSustained}
	if b := l.Between; b != nil {
		s.at, s.lo, s.within, s.contrary = b.Within.Load, b.Within.Load, b.Within.seconds(), b.Contrary
		s.higher = b.Higher
		if b.Above != nil && l.AtMost != nil {
			s.kind, s.hi, s.above = "bracket", b.Above.Load, b.Above.seconds()
		}
	}
	if l.Crossed {
		s = statement{kind: "limit", at: l.MaxSustained}
		if l.OneSearch != nil {
			s.lo, s.hi = l.OneSearch.Lo, l.OneSearch.Hi
		}
		// Bounds of probes are offered operations; a line may be in bytes, which the fresh run's load converts.
		for _, c := range l.Confirmations {
			s.confirmed = s.confirmed || c.Confirmed
			if ratio := c.Load / l.MaxSustained; c.Confirmed {
				s.at, s.lo, s.hi = s.at*ratio, s.lo*ratio, s.hi*ratio
				break
			}
		}
	}
	return s
}

// belowOf reads the note of a line that lies below every probe.
func belowOf(code, text string) (statement, bool) {
	m := regexp.MustCompile(`below ([0-9.e+]+)/s(?:, where latency was ([0-9.e+]+) ms)?`).FindStringSubmatch(text)
	if m == nil || code != "line-below" && code != "line-below-unhandled" {
		return statement{}, false
	}
	s := statement{kind: "below"}
	s.at, _ = strconv.ParseFloat(m[1], 64)
	ms, _ := strconv.ParseFloat(m[2], 64)
	s.above = ms / 1e3
	return s, true
}

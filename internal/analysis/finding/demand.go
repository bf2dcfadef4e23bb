package finding

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Demand is the load on a fleet, with its reserves.
type Demand struct {
	Rate     float64            // in the unit of the load, such as operations per second; 0 if only Of has some
	Of       map[string]float64 // likewise, of these workloads; Rate is that of another
	Headroom float64            // maximum load of each machine, as a fraction of its load line
	Failures int                // machines that may fail while the others handle the rate
}

// RateOf returns the demand on a workload; 0 if there is none.
func (d *Demand) RateOf(workload string) float64 {
	if d == nil {
		return 0
	}
	if rate, ok := d.Of[workload]; ok {
		return rate
	}
	return d.Rate
}

// Check returns an error for an impossible demand.
func (d Demand) Check() error {
	for _, rate := range d.Of {
		if !(rate > 0) || math.IsInf(rate, 0) {
			return fmt.Errorf("a demand of %g: it must be over 0", rate)
		}
	}
	switch {
	case len(d.Of) > 0 && d.Rate == 0:
	case !(d.Rate > 0) || math.IsInf(d.Rate, 0):
		return fmt.Errorf("a demand of %g: it must be over 0", d.Rate)
	}
	switch {
	case !(d.Headroom > 0 && d.Headroom <= 1):
		return fmt.Errorf("a headroom of %g: it is the fraction of its load line up to which a machine may be loaded, over "+
			"0 and at most 1", d.Headroom)
	case d.Failures < 0 || d.Failures > math.MaxInt32:
		return fmt.Errorf("%d failures: there can be none, or more", d.Failures)
	}
	return nil
}

// ParseDemand reads a demand such as 50k, or http=50k of a workload, which is "" if it is of none.
func ParseDemand(text string) (workload string, rate float64, err error) {
	at := strings.LastIndexByte(text, '=')
	if at == 0 {
		return "", 0, fmt.Errorf("%q names no workload before its =", text)
	}
	if at > 0 {
		workload = strings.TrimSpace(text[:at])
	}
	rate, err = parseRate(text[at+1:])
	return workload, rate, err
}

// perSecond returns the number of a rate with its unit, such as 50k/s or 50k rps.
func perSecond(text string) (string, bool) {
	m := regexp.MustCompile(`(?i)^\s*([\d.]+[kMG]?)\s*(/s|/sec|rps|qps|tps|ops|req/s|requests/s|op/s|iops)$`).
		FindStringSubmatch(text)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// parseRate reads a rate such as 50000, 5e6, 50k, 1.5M, 50_000 or 50,000.
func parseRate(text string) (float64, error) {
	digits, factor := strings.TrimSpace(text), 1.0
	for suffix, f := range map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9} {
		if rest, ok := strings.CutSuffix(digits, suffix); ok {
			digits, factor = strings.TrimSpace(rest), f
			break
		}
	}
	if regexp.MustCompile(`^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$`).MatchString(digits) ||
		regexp.MustCompile(`^[-+]?\d+(_\d+)+(\.\d+)?$`).MatchString(digits) {
		digits = strings.NewReplacer(",", "", "_", "").Replace(digits)
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		err = fmt.Errorf("%q is no rate: a number such as 50000, 50k, 1.5M, 5e6 or 50,000", text)
		if number, ok := perSecond(text); ok {
			err = fmt.Errorf("%w\nhint: --demand %s, which is per second", err, number)
		}
		return 0, err
	}
	return v * factor, nil
}

package plan

import (
	"plimsoll/internal/machine/forecast"
	"plimsoll/internal/record"
)

// Forecast is the expected extent of a plan, if every trial succeeds: from the minimum, if every comparison ends with
// its first interim analysis, to the maximum.
type Forecast struct {
	Costs       []forecast.Cost // of each cell
	Least, Most Span
	Hosts       []HostForecast // in the plan's order
}

// HostForecast is the use of one host.
type HostForecast struct{ Least, Most forecast.Use }

// ForecastOf adds up the costs of a plan's cells on hosts of these speeds.
func ForecastOf(p record.Plan, costs []forecast.Cost, speeds map[string]forecast.Speed) Forecast {
	out := Forecast{Costs: costs}
	var least, most []forecast.Use
	out.Least, least = extentOf(p, true, costs, speeds)
	out.Most, most = extentOf(p, false, costs, speeds)
	for i := range p.Hosts {
		out.Hosts = append(out.Hosts, HostForecast{least[i], most[i]})
	}
	return out
}

func extentOf(p record.Plan, early bool, costs []forecast.Cost, speeds map[string]forecast.Speed) (Span,
	[]forecast.Use) {
	uses := make([]forecast.Use, len(p.Hosts))
	at := map[string]*forecast.Use{}
	for i, host := range p.Hosts {
		uses[i].Speed = speeds[host]
		at[host] = &uses[i]
	}
	span := Extent(p, early, func(o record.Order) float64 {
		slowest := 0.0 // the hosts of a cluster are at it side by side
		for _, host := range append([]string{o.Host}, o.Cluster...) {
			sum := at[host].Add(forecast.Order(o))
			for _, s := range o.Sides {
				sum += at[host].Add(costs[s.Cell])
			}
			slowest = max(slowest, sum)
		}
		return slowest
	})
	span.Overhead += forecast.SessionS
	return span, uses
}

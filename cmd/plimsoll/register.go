package main

import (
	"strings"

	"plimsoll/internal/analysis/valuation"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
)

// register applies the flags that preregister how the result will be judged.
func (o runOptions) register(req *plan.Request, changed func(string) bool) error {
	if changed("pilot") {
		s, err := record.ParseDuration(o.pilot)
		if err != nil || s < 0 {
			return usagef("--pilot %s: must be a time, such as 60s, or 0s for none", o.pilot)
		}
		req.PilotS = s
	}
	for _, text := range o.metric {
		if of := req.Workloads(); len(of) == 1 && !strings.Contains(text, ".") {
			text = of[0] + "." + text
		}
		workload, name, ok := strings.Cut(text, ".")
		if !ok || workload == "" || name == "" {
			return usagef("--metric %s: must be WORKLOAD.NAME\nhint: --metric aes-gcm.throughput; plimsoll list NAME shows "+
				"a workload's metrics", text)
		}
		if req.Primary == nil {
			req.Primary = map[string]string{}
		}
		req.Primary[workload] = name
	}
	for _, text := range o.price {
		name, price, err := valuation.ParsePrice(text)
		if err != nil {
			return err
		}
		if req.Prices == nil {
			req.Prices = map[string]float64{}
		}
		if err := valuation.SetPrice(req.Prices, name, price, text); err != nil {
			return err
		}
	}
	return nil
}

// search applies the flags that leave the load to be found.
func (o runOptions) search(req *plan.Request, decls []record.Workload) error {
	searches := o.line || o.sweepLoad || len(o.slo) > 0
	if o.safeRate && searches {
		return usagef("--safe-rate and the search for a load line are two measurements\nhint: do them one after the other")
	}
	if o.safeRate {
		return req.SafeRate(decls)
	}
	if !searches {
		return nil
	}
	if o.line && o.sweepLoad {
		return usagef("--load-line and --load-sweep are two ways to place the loads\nhint: leave out one of them")
	}
	times, err := objectives(o.slo)
	if err != nil {
		return err
	}
	return req.Search(o.sweepLoad, times, decls)
}

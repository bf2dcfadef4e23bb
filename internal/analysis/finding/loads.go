package finding

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Load is one load with the last trial of each machine under it, in the order of their names.
type Load struct {
	keys   map[string]string
	Trials []record.Trial
}

// LoadsOf returns the loads of trials, in the order in which they came first.
func LoadsOf(trials []record.Trial) []Load {
	var out []Load
	// fmt prints maps in the order of their keys
	for _, group := range GroupBy(trials, func(t record.Trial) string { return fmt.Sprint(loadKeys(t)) }) {
		load := Load{keys: loadKeys(group[0])}
		byMachine := map[string]record.Trial{}
		for _, t := range group {
			byMachine[t.Keys[record.KeyMachine]] = t
		}
		for _, machine := range slices.Sorted(maps.Keys(byMachine)) {
			load.Trials = append(load.Trials, byMachine[machine])
		}
		out = append(out, load)
	}
	return out
}

// loadKeys returns the keys that distinguish loads.
func loadKeys(t record.Trial) map[string]string {
	out := map[string]string{record.KeyWorkload: t.Keys[record.KeyWorkload], record.KeyLoad: t.Load.Key()}
	for name, v := range t.Keys {
		if strings.HasPrefix(name, t.Keys[record.KeyWorkload]+".") {
			out[name] = v
		}
	}
	return out
}

// LoadTitles names loads by their workload, the parameters that differ within it, and their level.
func LoadTitles(loads []Load) []string {
	out := make([]string, len(loads))
	for i, load := range loads {
		w := load.keys[record.KeyWorkload]
		parts := []string{w}
		for _, name := range slices.Sorted(maps.Keys(load.keys)) {
			param, own := strings.CutPrefix(name, w+".")
			if own && param != record.ParamClients && slices.ContainsFunc(loads, func(o Load) bool {
				return o.keys[record.KeyWorkload] == w && o.keys[name] != load.keys[name]
			}) {
				parts = append(parts, param+"="+load.keys[name])
			}
		}
		out[i] = strings.Join(append(parts, load.keys[record.KeyLoad]), ", ")
	}
	return out
}

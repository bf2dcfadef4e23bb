package catalog

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// TestEmbeddedIsClean: what breaks a rule has a reason, and every reason is needed.
func TestEmbeddedIsClean(t *testing.T) {
	findings := embedded(t).Lint()
	for _, f := range findings {
		if f.Excuse == "" {
			t.Errorf("%s: %s %s", f.Rule, f.Name, f.Text)
		}
	}
	for _, e := range exceptions() {
		used := slices.ContainsFunc(findings, func(f Finding) bool {
			ok, err := path.Match(e.names, f.Name)
			return err == nil && ok && f.Rule == e.rule
		})
		if !used || e.reason == "" {
			t.Errorf("the exception of %q from %q excuses nothing, or has no reason", e.names, e.rule)
		}
	}
}

// TestRules breaks one rule after the other.
func TestRules(t *testing.T) {
	price := func(v float64) []Price { return []Price{{PerHour: v, Date: "2026-07-20", Source: "a list"}} }
	good := []Type{
		{Name: "x.large", Vendor: "aws", Family: "x", Size: "large", Arch: "arm64", VCPUs: 2, Cores: 2, ThreadsPerCore: 1,
			Prices: price(.1)},
		{Name: "x.xlarge", Vendor: "aws", Family: "x", Size: "xlarge", Arch: "arm64", VCPUs: 4, Cores: 4, ThreadsPerCore: 1,
			Prices: price(.2)},
		{Name: "x.unknown", Vendor: "aws", Family: "x", Arch: "amd64", VCPUs: 4, Prices: price(.2)},
	}
	for _, q := range []struct {
		rule, text string
		spoil      func(*Catalog)
	}{
		{"", "", func(*Catalog) {}},
		{"unique", "x.xlarge is in the catalogue twice", func(c *Catalog) { c.types = append(c.types, c.types[1]) }},
		{"arch", `x.large unknown architecture "riscv64"`, func(c *Catalog) { c.types[0].Arch = "riscv64" }},
		{"arch", `x.large unknown architecture ""`, func(c *Catalog) { c.types[0].Arch = "" }},
		{"cores", "x.xlarge 8 cores for 4 vCPUs", func(c *Catalog) { c.types[1].Cores = 8 }},
		{"cores", "x.unknown 0 cores for 0 vCPUs", func(c *Catalog) { c.types[2].VCPUs = 0 }},
		{"threads", "x.xlarge 4 cores of 2 threads do not make 4 vCPUs", func(c *Catalog) { c.types[1].ThreadsPerCore = 2 }},
		{"threads", "x.unknown 0 cores of 2 threads", func(c *Catalog) { c.types[2].ThreadsPerCore = 2 }},
		{"price", "x.large costs 0 USD per hour", func(c *Catalog) { c.types[0].Prices = price(0) }},
		{"price", "x.xlarge costs 70080 USD per hour", func(c *Catalog) { c.types[1].Prices = price(70080) }},
		{"larger-is-dearer", "x.large costs 0.3 USD per hour, more than x.xlarge at 0.2",
			func(c *Catalog) { c.types[0].Prices = price(.3) }},
		{"sourced", "x.large its price of 0.1 USD per hour", func(c *Catalog) { c.types[0].Prices[0].Source = "" }},
		{"sourced", "x.large its price of 0.1 USD per hour", func(c *Catalog) { c.types[0].Prices[0].Date = "" }},
		{"sourced", "x.csv its facts", func(c *Catalog) { c.sources = []source{{file: "x.csv", source: "a list"}} }},
		{"sourced", "m 1 its power of 3 W", func(c *Catalog) {
			c.watts = []cpuPower{{maker: "m", model: "1", cores: 1, Power: Power{Watts: 3, Source: "somebody"}}}
		}},
		{"network-burst", "x.large its network's burst of 500 Mbit/s is below its baseline of 750", func(c *Catalog) {
			c.types[0].NetworkMbps, c.types[0].NetworkBurstMbps = Some(750), Some(500)
		}},
		{"ebs-limits", "x.small has limits to network disks, but is not a type", limits("x.small", 1000, 4000)},
		{"ebs-limits", "x.large its baseline to network disks is above its burst", limits("x.large", 3000, 2000)},
		{"ebs-limits", "x.large moves at most 2000 Mbit/s to network disks by one source, 4000 by another", func(c *Catalog) {
			c.types[0].EBSMbps = Some(4000)
			limits("x.large", 1000, 2000)(c)
		}},
		{"ebs-limits", "x.large has two limits", func(c *Catalog) {
			limits("x.large", 1000, 2000)(c)
			limits("x.large", 1000, 2000)(c)
		}},
		{"volumes", `v1 unknown rule "luck"`, volume(func(v *Volume) { v.Rule = "luck" })},
		{"volumes", "v1 a minimum size, IOPS or throughput is above the maximum", volume(func(v *Volume) { v.MinGiB = 200 })},
		{"volumes", "v1 a minimum size, IOPS or throughput is above the maximum",
			volume(func(v *Volume) { v.IncludedIOPS = 1e6 })},
		{"volumes", "v1 IOPS per GiB, the size of an I/O and throughput must be above 0",
			volume(func(v *Volume) { v.MiBpsPerIOPS = 0 })},
		{"volumes", "v1 costs 0 USD per GiB", volume(func(v *Volume) { v.Prices[0].PerGiB = 0 })},
		{"volumes", "v1 has no price", volume(func(v *Volume) { v.Prices = nil })},
		{"volumes", "v9 has a price, but is not a kind of volume",
			func(c *Catalog) { c.volumePrices = []volumePrice{{volume: "v9"}} }},
		{"sourced-storage", "v1 its rules have no source or no date", volume(func(v *Volume) { v.Date = "" })},
		{"sourced-storage", "v1 its price of 0.1 USD per GiB a month has no source, no date or no region",
			volume(func(v *Volume) { v.Prices[0].Region = "" })},
		{"sourced-storage", "x.large its limits to network disks have no source or no date", func(c *Catalog) {
			c.limits = []ebsLimit{{"x.large", EBSLimits{1, 1, 1, 1, "a page", ""}}}
		}},
	} {
		c := &Catalog{types: slices.Clone(good)}
		for i := range c.types {
			c.types[i].Prices = slices.Clone(good[i].Prices)
		}
		q.spoil(c)
		broken := slices.DeleteFunc(c.Lint(), func(f Finding) bool { return f.Rule != q.rule })
		if q.rule == "" {
			if all := c.Lint(); len(all) > 0 {
				t.Errorf("a good catalogue: %+v", all)
			}
		} else if len(broken) == 0 || !strings.Contains(broken[0].Name+" "+broken[0].Text, q.text) || broken[0].Excuse != "" {
			t.Errorf("%s: %+v, want %q", q.rule, broken, q.text)
		}
	}
}

func limits(instance string, baseline, most float64) func(*Catalog) {
	return func(c *Catalog) {
		c.limits = append(c.limits, ebsLimit{instance, EBSLimits{baseline, 4000, most, 20000, "a page", "2021-10"}})
	}
}

// volume adds a kind of volume that one thing is wrong with.
func volume(spoil func(*Volume)) func(*Catalog) {
	return func(c *Catalog) {
		v := Volume{Name: "v1", Rule: Provisioned, MinGiB: 1, MaxGiB: 100, IOPSPerGiB: 500, MaxIOPS: 1000, MaxMiBps: 100,
			MiBpsPerIOPS: .25, IOKiB: 256, Source: "a page", Date: "2023",
			Prices: []VolumePrice{{Region: "here", PerGiB: .1, PerIOPS: .01, Source: "a list", Date: "2023"}}}
		spoil(&v)
		c.volumes = []Volume{v}
	}
}

func TestBadTables(t *testing.T) {
	header := strings.Join(cloudColumns(), ",")
	for text, want := range map[string]string{
		header + "\ngcp,x-1,arm64,two,,,,,,,,,,\n": `line 2: vcpu "two" is not a number`,
		header + "\ngcp,x-1,arm64,1.5,,,,,,,,,,\n": `line 2: vcpu "1.5" is not a ` +
			`whole number`,
		strings.Replace(header, "vcpu", "cpus", 1) + "\ngcp,x-1,arm64,1,,,,,,,,,,\n": `line 1: the header has no ` +
			`column "vcpu"`,
	} {
		var problems []Problem
		parseClouds([]byte(text), &problems)
		if len(problems) == 0 || problems[0].String() != want {
			t.Errorf("%q: %v, want %q", text, problems, want)
		}
	}
	var problems []Problem
	parseWatts([]byte("cpu_manufacturer,cpu_model,scope,cores,watts,kind,source,date,note\na,b,rack,1,5,heard,s,d,\n"+
		"a,b,core,0,5,rated,s,d,\n"), &problems)
	if len(problems) != 2 || !strings.Contains(problems[0].Text, `kind "heard" or scope "rack"`) ||
		!strings.Contains(problems[1].Text, "above 0") {
		t.Errorf("%v", problems)
	}
	problems = nil
	parseEBSLimits([]byte("instance_type,baseline_mbps,baseline_iops,max_mbps,max_iops\nm5.large,650,3600,,18750\n"), nil,
		&problems)
	if len(problems) != 1 || problems[0].String() != "line 2: limits must be above 0" {
		t.Errorf("%v", problems)
	}
	problems = nil
	parseVolumePrices([]byte("type,region\ngp3,here\n"), &problems)
	if len(problems) == 0 || !strings.Contains(problems[0].String(), "usd_per_gib_month") {
		t.Errorf("%v", problems)
	}
}

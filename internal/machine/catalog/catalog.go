// Package catalog knows the instance types of clouds: their vCPUs, cores, memory, disks, network, prices by date, and
// power if known. All of it is embedded, has a source and a date, and is validated by rules (Lint).
//
// A figure that a source omits is unknown and never zero: an Amount tells the two apart, and a count of cores or
// threads is 0 only if unknown.
package catalog

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
)

//go:embed data/*.csv
var data embed.FS

// The embedded tables.
const (
	awsFile    = "instances_aws.csv"
	cloudsFile = "instances_gcp_azure.csv"
	limitsFile = "ebs_limits.csv"
)

// Catalog is a set of instance types.
type Catalog struct {
	types   []Type
	watts   []cpuPower
	sources []source

	limits       []ebsLimit
	volumes      []Volume
	volumePrices []volumePrice
}

// Embedded reads the embedded tables. An error is a fault of the build.
func Embedded() (*Catalog, error) {
	c := &Catalog{}
	for _, load := range []struct {
		file string
		read func(text []byte, problems *[]Problem)
	}{
		{"sources.csv", func(text []byte, p *[]Problem) { c.sources = parseSources(text, p) }},
		{"watts.csv", func(text []byte, p *[]Problem) { c.watts = parseWatts(text, p) }},
		{awsFile, func(text []byte, p *[]Problem) {
			c.types = append(c.types, parseAWS(text, sourcesOf(c.sources, awsFile), p)...)
		}},
		{cloudsFile, func(text []byte, p *[]Problem) { c.types = append(c.types, parseClouds(text, p)...) }},
		{limitsFile, func(text []byte, p *[]Problem) {
			c.limits = parseEBSLimits(text, sourcesOf(c.sources, limitsFile), p)
		}},
		{"volumes.csv", func(text []byte, p *[]Problem) { c.volumes = parseVolumes(text, p) }},
		{"volume_prices.csv", func(text []byte, p *[]Problem) { c.volumePrices = parseVolumePrices(text, p) }},
	} {
		text, err := data.ReadFile("data/" + load.file)
		if err != nil {
			return nil, fmt.Errorf("reading the catalogue: %w", err)
		}
		var problems []Problem
		load.read(text, &problems)
		if err := badRows(load.file, problems, "this build is damaged"); err != nil {
			return nil, fmt.Errorf("reading the catalogue: %w", err)
		}
	}
	for i := range c.types {
		c.types[i].sortPrices()
	}
	c.limited()
	c.priced()
	return c, nil
}

// Types returns all types, family by family in the tables' order.
func (c *Catalog) Types() []Type { return slices.Clone(c.types) }

// Find returns the type of exactly that name, ignoring case. The error is a usage.Error with the nearest names.
func (c *Catalog) Find(name string) (Type, error) {
	if at := c.at(name); at >= 0 {
		return c.types[at], nil
	}
	return Type{}, unknown("instance type", name, c.names())
}

// Family returns the types of a family, in the table's order of sizes. The error is a usage.Error with the nearest
// families.
func (c *Catalog) Family(name string) ([]Type, error) {
	if out := c.family(name); len(out) > 0 {
		return out, nil
	}
	return nil, unknown("family", name, c.Families())
}

// Families returns the families' names.
func (c *Catalog) Families() []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range c.types {
		if !seen[t.Family] {
			seen[t.Family] = true
			out = append(out, t.Family)
		}
	}
	return out
}

// Select returns the type of that name, or the types of that family. The error is a usage.Error with the nearest names
// of both kinds.
func (c *Catalog) Select(name string) ([]Type, error) {
	if at := c.at(name); at >= 0 {
		return c.types[at : at+1 : at+1], nil
	}
	if out := c.family(name); len(out) > 0 {
		return out, nil
	}
	return nil, unknown("instance type or family", name, append(c.Families(), c.names()...))
}

func (c *Catalog) at(name string) int {
	return slices.IndexFunc(c.types, func(t Type) bool { return strings.EqualFold(t.Name, name) })
}

func (c *Catalog) family(name string) []Type {
	return list.Filter(c.types, func(t Type) bool { return strings.EqualFold(t.Family, name) })
}

func (c *Catalog) names() []string {
	out := make([]string, len(c.types))
	for i, t := range c.types {
		out[i] = t.Name
	}
	return out
}

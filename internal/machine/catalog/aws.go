package catalog

import (
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// awsColumns returns the required columns of a table of AWS types.
func awsColumns() []string {
	return []string{
		"instance_type", "family", "size", "arch", "vcpu", "physical_cores", "threads_per_core", "cpu_manufacturer",
		"cpu_model",
		"sustained_clock_mhz", "memory_gib", "local_nvme_gb", "network_baseline_mbps", "network_burst_mbps",
		"ebs_max_bandwidth_mbps",
	}
}

// priceColumn begins the names of the columns that are prices, each of its source's date.
const priceColumn = "usd_per_hour"

// parseAWS parses AWS types.
func parseAWS(text []byte, sources []source, problems *[]Problem) []Type {
	sources = slices.DeleteFunc(slices.Clone(sources),
		func(s source) bool { return !strings.HasPrefix(s.column, priceColumn) })
	need := awsColumns()
	for _, s := range sources {
		need = append(need, s.column)
	}
	var out []Type
	for _, r := range readTable(text, need, problems) {
		t := Type{
			Name: r.fields["instance_type"], Vendor: "aws", Family: r.fields["family"], Size: r.fields["size"],
			Arch:  archOf(r.fields["arch"]),
			VCPUs: r.count("vcpu"), Cores: r.count("physical_cores"), ThreadsPerCore: r.count("threads_per_core"),
			Maker: strings.ToLower(r.fields["cpu_manufacturer"]), Model: r.fields["cpu_model"],
			MHz:       r.amount("sustained_clock_mhz"),
			MemoryGiB: r.amount("memory_gib"), NVMeGB: r.amount("local_nvme_gb"),
			NetworkMbps: r.amount("network_baseline_mbps"), NetworkBurstMbps: r.amount("network_burst_mbps"),
			EBSMbps: r.amount("ebs_max_bandwidth_mbps"),
		}
		for _, s := range sources {
			if price := r.amount(s.column); price.Known {
				t.Prices = append(t.Prices, Price{PerHour: price.Value, Date: s.date, Source: s.source})
			}
		}
		out = append(out, t)
	}
	return out
}

// archOf maps the two architectures that we compare to Go's names; it leaves others to Lint.
func archOf(text string) string {
	if arch, ok := record.GoArch(text); ok {
		return arch
	}
	return text
}

func cloudColumns() []string {
	return []string{
		"vendor", "instance", "arch", "vcpu", "physical_cores", "threads_per_core", "cpu_manufacturer", "cpu_model",
		"clock_ghz", "memory_gib", "local_storage_gb", "network_gbps", "usd_per_hour", "price_note",
	}
}

// parseClouds parses types of other clouds. The source and date of a price are in its note.
func parseClouds(text []byte, problems *[]Problem) []Type {
	dated := regexp.MustCompile(`\d{4}-\d{2}-\d{2}`)
	var out []Type
	for _, r := range readTable(text, cloudColumns(), problems) {
		t := Type{
			Name: r.fields["instance"], Vendor: r.fields["vendor"], Arch: archOf(r.fields["arch"]),
			VCPUs: r.count("vcpu"), Cores: r.count("physical_cores"), ThreadsPerCore: r.count("threads_per_core"),
			Maker: strings.ToLower(r.fields["cpu_manufacturer"]), Model: r.fields["cpu_model"], MHz: r.amount("clock_ghz").
				times(1000),
			MemoryGiB: r.amount("memory_gib"), NVMeGB: localDisks(r), NetworkMbps: r.amount("network_gbps").times(1000),
			Note: r.fields["price_note"],
		}
		t.Family, t.Size = splitName(t.Name)
		if price := r.amount("usd_per_hour"); price.Known {
			t.Prices = []Price{{PerHour: price.Value, Date: dated.FindString(t.Note), Source: t.Note}}
		}
		out = append(out, t)
	}
	return out
}

// localDisks treats the table's 0 as unknown if the type is named after its local disks.
func localDisks(r row) Amount {
	a := r.amount("local_storage_gb")
	if strings.HasSuffix(r.fields["instance"], "-lssd") && a.Value == 0 {
		return Amount{}
	}
	return a
}

// splitName splits a name into its number, the size, and the rest, the family: "c4a-highmem-8-lssd" is size 8 of
// c4a-highmem-lssd, "D8ps_v5" size 8 of Dps_v5, "cax11" size 11 of cax.
func splitName(name string) (family, size string) {
	for _, form := range []string{`^(.+)-(\d+)(-.+)?$`, `^([A-Z]+)(\d+)([a-z]*_v\d+)$`, `^([a-z]+)(\d+)()$`} {
		if m := regexp.MustCompile(form).FindStringSubmatch(name); m != nil {
			return m[1] + m[3], m[2]
		}
	}
	return name, ""
}

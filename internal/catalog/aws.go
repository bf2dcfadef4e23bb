package catalog

import "strings"

// awsColumns returns the required columns of a table of AWS types.
func awsColumns() []string {
	return []string{
		"instance_type", "family", "size", "arch", "vcpu", "physical_cores", "threads_per_core", "cpu_manufacturer", "cpu_model",
		"sustained_clock_mhz", "memory_gib", "local_nvme_gb", "network_baseline_mbps", "ebs_max_bandwidth_mbps",
	}
}

// parseAWS parses AWS types. Each source that names a column of the table makes that column a price of its date.
func parseAWS(text []byte, sources []source, problems *[]Problem) []Type {
	need := awsColumns()
	for _, s := range sources {
		if s.column != "" {
			need = append(need, s.column)
		}
	}
	var out []Type
	for _, r := range readTable(text, need, problems) {
		t := Type{
			Name: r.fields["instance_type"], Vendor: "aws", Family: r.fields["family"], Size: r.fields["size"], Arch: archOf(r.fields["arch"]),
			VCPUs: r.count("vcpu"), Cores: r.count("physical_cores"), ThreadsPerCore: r.count("threads_per_core"),
			Maker: strings.ToLower(r.fields["cpu_manufacturer"]), Model: r.fields["cpu_model"], MHz: r.amount("sustained_clock_mhz"),
			MemoryGiB: r.amount("memory_gib"), NVMeGB: r.amount("local_nvme_gb"),
			NetworkMbps: r.amount("network_baseline_mbps"), EBSMbps: r.amount("ebs_max_bandwidth_mbps"),
		}
		for _, s := range sources {
			if s.column == "" {
				continue
			}
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
	switch strings.ToLower(text) {
	case "x86_64", "amd64":
		return "amd64"
	case "aarch64", "arm64":
		return "arm64"
	}
	return text
}

package catalog

// exception lets findings of one rule stand; names is a pattern of path.Match.
type exception struct{ rule, names, reason string }

func exceptions() []exception {
	const gcosts = "the price list of gcosts, from which it is, bears no date"
	const article = "the article, as it was stored, bears no date; its figures are estimates and decide nothing"
	const disagree = "the page of 2021-10 says one figure, the table of 2026-07 another; sizing takes the page's, which has the baseline too"
	return []exception{
		{"ebs-limits", "t4g.*", disagree},
		{"sourced", "instances_gcp_azure.csv", "the table says where its prices are from, and not where its vCPUs, cores and memory are from"},
		{"sourced", "c3d-highmem-16", gcosts},
		{"sourced", "c4-highmem-4", gcosts},
		{"sourced", "c4-highmem-32", gcosts},
		{"sourced", "c4-standard-8", gcosts + "; it is derived from the prices of other sizes"},
		{"sourced", "aws Neoverse-N1", article},
		{"sourced", "amd 7R32", article},
		{"sourced", "intel 8124M", article},
		{"sourced", "intel 8223CL", article},
		{"sourced", "intel 8275CL", article},
	}
}

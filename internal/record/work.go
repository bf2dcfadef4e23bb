package record

import "slices"

// DefinesWork reports whether a parameter of a workload defines what an operation is, or under which load it is made:
// the bytes that one moves, the script that it runs, the data that it finds. Figures of two of its values are of two
// kinds of work, so that no value is better than another, and none makes the other's work cheaper. All other
// parameters tune how the same work is done. A name means the same in every workload that has it.
func DefinesWork(workload, param string) bool {
	// A path is a request of http and a place elsewhere.
	if workload == "http" && (param == "path" || param == "url" || param == "targets") {
		return true
	}
	return definesLoad(param) || slices.Contains([]string{
		"size", "block", "record_size", "body", "value_size", "key_size", "fill", // bytes
		"data", "parity", "shard", "lost", "bits", // of kernels
		"rw", "mix", "op", "mode", "method", "post", "direction", "answer", // what is done
		"script", "init", "command", "source", "configure", "service",
		"benchmark", "test", "operation", "block_size", "total_size", "files", "file_size", "prime_limit", // of other tools
		"scale", "warehouses", "tables", "population", "skew", "home", "keys", "compressibility", // on which data
	}, param)
}

// definesLoad reports whether a parameter says how much is asked for at a time.
func definesLoad(param string) bool {
	return slices.Contains(LoadParams(), param) ||
		slices.Contains([]string{ParamDepth, ParamJobs, ParamConnections, "consumers", "streams"}, param)
}

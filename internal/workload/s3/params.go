package s3

import (
	"plimsoll/internal/client/load"
	store "plimsoll/internal/engine/minio"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/fault"
	"plimsoll/internal/workload/there"
)

// The workload's own parameters; those that make a load are record.Param*.
const (
	paramURL         = "url"
	paramAccess      = "access_key"
	paramSecret      = "secret_key"
	paramToken       = "session_token"
	paramRegion      = "region"
	paramInsecure    = "insecure"
	paramOps         = "ops"
	paramSize        = "size"
	paramRange       = "range_size"
	paramPart        = "part_size"
	paramObjects     = "objects"
	paramKeys        = "distribution"
	paramPayload     = "payload"
	paramFault       = "fault"
	paramPath        = workload.ParamPath
	paramAddress     = workload.ParamAddress
	paramPort        = "port"
	paramThreads     = "threads"
	paramServerCPUs  = "server_threads"
	paramNodes       = record.ParamNodes
	paramTimeout     = "timeout"
	paramConnections = record.ParamConnections
)

// The values of payload.
const (
	payloadAuto     = "auto"
	payloadSigned   = "signed"
	payloadUnsigned = "unsigned"
)

func requestParams() []record.Param {
	return []record.Param{
		{Name: paramOps, Kind: record.Text, Default: "get", Phase: record.Load,
			Doc: "operations with their weights, such as get:3,put:1: get, put, head, range, multipart, list, delete"},
		{Name: paramSize, Kind: record.Text, Default: "1MiB", Phase: record.Load,
			Doc: "size of the objects: one, several with weights such as 4KiB:9,1MiB:1, or a range such as 4KiB-1MiB, drawn " +
				"uniformly by its logarithm"},
		{Name: paramObjects, Kind: record.Int, Default: "256", Min: 1, Max: 1e6, Phase: record.Load, Shared: true,
			Doc: "number of objects across all generators; they are written before the load unless it only writes"},
		{Name: paramKeys, Minor: true, Kind: record.Text, Default: uniform, Phase: record.Load,
			Doc: "distribution of the objects that operations take: uniform, sequential, or zipf:1.1 with its exponent"},
		{Name: paramRange, Minor: true, Kind: record.Size, Default: "64KiB", Min: 1, Max: maxSize, Phase: record.Load,
			Doc: "range: bytes that a request reads, from a random offset"},
		{Name: paramPart, Minor: true, Kind: record.Size, Default: "5MiB", Min: 1, Max: maxSize, Phase: record.Load,
			Doc: "multipart: size of a part; stores require at least 5 MiB of all but the last"},
		{Name: paramPayload, Minor: true, Kind: record.Enum, Default: payloadAuto,
			Choices: []string{payloadAuto, payloadSigned, payloadUnsigned}, Phase: record.Load,
			Doc: "whether the SHA-256 of a written body is signed, which the store then verifies; auto: without TLS, as " +
				"clients of AWS and MinIO do"},
		{Name: paramTimeout, Minor: true, Kind: record.Duration, Default: "30s", Min: 1e-3, Max: 3600, Phase: record.Load,
			Doc: "request timeout; a request that takes longer fails its operation"},
	}
}

// mostNodes bounds a cluster: each server has values in the run's line.
const mostNodes = 8

// started is met if the store is started for the run.
func started() record.Only {
	return record.Only{Param: paramURL, Is: []string{""}, To: "a store started for the run"}
}

func storeParams() []record.Param {
	existing := record.Only{Param: paramURL, Not: []string{""}, To: "an existing store",
		Hint: "plimsoll run " + Name + " https://HOST/BUCKET"}
	here, given := []record.Only{started()}, []record.Only{existing}
	out := []record.Param{
		{Name: paramURL, Minor: true, Kind: record.Text, Secret: record.SecretURL, Phase: record.Load,
			Doc: "existing bucket, as https://HOST:PORT/BUCKET; objects get a random prefix and are removed; on this host the " +
				"store's processes are metered"},
		{Name: record.ParamMachine, Minor: true, Kind: record.Text, Phase: record.Load, Only: given,
			Doc: "for a URL: name of the store's machine, such as its instance type, from which its vCPUs and price follow"},
		{Name: paramAccess, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load, Only: given,
			Doc: "for a URL: access key; run s3 URL takes ${AWS_ACCESS_KEY_ID} of the environment"},
		{Name: paramSecret, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load, Only: given,
			Doc: "for a URL: secret key; run s3 URL takes ${AWS_SECRET_ACCESS_KEY} of the environment"},
		{Name: paramToken, Minor: true, Kind: record.Text, Secret: record.SecretText, Phase: record.Load, Only: given,
			Doc: "for a URL: session token of temporary keys; run s3 URL takes ${AWS_SESSION_TOKEN} if it is set"},
		{Name: paramRegion, Minor: true, Kind: record.Text, Default: "us-east-1", Phase: record.Load,
			Doc: "region for which requests are signed"},
		{Name: paramInsecure, Minor: true, Kind: record.Bool, Default: "false", Phase: record.Load,
			Doc: "do not verify the certificate of a URL", Only: given},
	}
	out = append(out, there.Params("for a URL", existing)...)
	for _, d := range (store.Engine{}).Params() {
		d.Minor, d.Only = true, here
		out = append(out, d)
	}
	oneTarget := started()
	oneTarget.Hint = "leave out --cluster: a URL is one target"
	return append(out, []record.Param{
		{Name: paramNodes, Minor: true, Kind: record.Int, Default: "1", Min: 1, Max: mostNodes, Phase: record.Server,
			Only: []record.Only{oneTarget},
			Doc: "servers of a started store, one on each host of --cluster, whose drives form one erasure set; " +
				"follows from --cluster"},
		{Name: paramPath, Minor: true, Kind: record.Text, Phase: record.Server, Only: here,
			Doc: "directory below which a started store keeps its drives; default: the run's scratch below TMPDIR"},
		{Name: paramAddress, Minor: true, Kind: record.Text, Phase: record.Server, Only: here,
			Doc: "IP address at which other hosts reach a started store; default: its first one that is not loopback"},
		{Name: paramPort, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 65535,
			Phase: record.Server, Only: here, Doc: "port of a started store; 0: any free one"},
		{Name: paramServerCPUs, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 4096,
			Phase: record.Server, Only: here,
			Doc: "threads of a started store that run Go code (GOMAXPROCS); 0: one per CPU"},
		{Name: paramFault, Minor: true, Kind: record.Text, Default: fault.None, Phase: record.Load, Only: here,
			Doc: "lose@50%: a started store loses a drive of its erasure set at half of the window; what that costs is " +
				"measured, and that no object is lost"},
	}...)
}

func loadParams() []record.Param {
	return []record.Param{
		{Name: record.ParamClients, Kind: record.Int, Default: "16", Min: 0, Max: 1e5, Phase: record.Load, Shared: true,
			Doc: "closed loop: number of clients across all generators, one connection each; each begins its next operation " +
				"on completion"},
		{Name: record.ParamRate, Kind: record.Float, Default: "0", Min: 0, Max: 1e7, Phase: record.Load,
			Doc: "open loop: operations per second"},
		{Name: record.ParamArrivals, Kind: record.Enum, Default: load.Poisson, Choices: []string{load.Poisson, load.Uniform},
			Phase: record.Load, Doc: "spacing of an open loop's operations"},
		{Name: paramConnections, Minor: true, Kind: record.Int, Default: "64", Min: 1, Max: 1e5, Phase: record.Load,
			Shared: true, Doc: "open loop: connection pool across all generators; due operations queue while all are busy"},
		{Name: paramThreads, Minor: true, Kind: record.Int, Default: "0", Min: 0, Max: 4096, Phase: record.Load,
			Doc: "event loops of the generator; 0: one per CPU"},
		workload.CPUSets(record.CPUsSplit, "store and generator"),
	}
}

package s3

import (
	"fmt"
	"os"
	"strings"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/workload"
)

// command is the way to type a load of an object store.
func command() workload.Command {
	return workload.Command{
		Arguments: "URL",
		Take:      take,
		Peers: []workload.Peer{
			{Flags: []string{"obj.size", "object-size"}, Use: "--size 1MiB, or a distribution such as 4KiB:9,1MiB:1",
				As: "--size {value}"},
			{Flags: []string{"concurrent"}, Use: "--clients N", As: "--clients {value}"},
		},
		Examples: []workload.Example{
			{Command: "run s3 --drives 4 --ops get --size 1MiB",
				Doc: "MinIO on four drives, started for the run"},
			{Command: "run s3 https://minio.example:9000/bench --ops get:3,put:1 --clients 32",
				Doc: "a bucket that is there; the keys are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"},
			{Command: "run s3 --drives 4 --ops put --vary size=4KiB,64KiB,1MiB",
				Doc: "what a size costs"},
			{Command: "run s3 --drives 4 --ops get:3,put:1 --fault lose@50%",
				Doc: "a lost drive: the dip, the recovery, and that no object is lost"},
			{Command: "run s3 --drives 4 --ops get --load-line --slo p99=50ms",
				Doc: "the highest rate with a p99 of at most 50 ms"},
		},
	}
}

// take returns the settings for the URL of a bucket.
func take(args []string) (workload.Taken, error) {
	if len(args) != 1 {
		return workload.Taken{}, fmt.Errorf("%s: %d URLs, not one\nhint: --vary %s.%s=URL,URL compares two stores", Name,
			len(args), Name, paramURL)
	}
	plain, _ := secret.Shielded(args[0])
	if plain == args[0] {
		if _, err := bucketIn(args[0]); err != nil {
			return workload.Taken{}, err
		}
	}
	set := map[string]string{paramURL: strings.TrimRight(args[0], "/"), paramAccess: "${AWS_ACCESS_KEY_ID}",
		paramSecret: "${AWS_SECRET_ACCESS_KEY}"}
	if os.Getenv("AWS_SESSION_TOKEN") != "" {
		set[paramToken] = "${AWS_SESSION_TOKEN}"
	}
	return workload.Taken{Set: set}, nil
}

package embedded_test

import (
	"os"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/engine/embedded"
	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/record"
)

func TestMain(m *testing.M) {
	enginetest.Main(m, embedded.Engine{}, map[string]func([]string) int{
		embedded.Verb: func(args []string) int { return embedded.Main(args, os.Stderr) },
	})
}

func TestConformance(t *testing.T) {
	simtest.Long(t)
	enginetest.Run(t, embedded.Engine{},
		enginetest.Case{Name: "defaults"},
		enginetest.Case{Name: "TLS", Params: record.Params{"tls": "true", "body": "100KiB"}},
		enginetest.Case{Name: "CPU", Params: record.Params{"service": "100us", "hold": "cpu"}},
		enginetest.Case{Name: "second threads", Params: record.Params{"service": "1ms", "servers": "2", "yield": "0.3"}},
		enginetest.Case{Name: "queue", Params: record.Params{"service": "1ms", "servers": "2"}},
	)
}

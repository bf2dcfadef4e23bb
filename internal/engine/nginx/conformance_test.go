package nginx_test

import (
	"testing"

	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/engine/nginx"
	"plimsoll/internal/record"
)

func TestMain(m *testing.M) { enginetest.Main(m, nginx.Engine{}, nil) }

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs nginx")
	}
	enginetest.Run(t, nginx.Engine{},
		enginetest.Case{Name: "defaults"},
		enginetest.Case{Name: "TLS", Params: record.Params{"tls": "true", "body": "1MiB"}},
	)
}

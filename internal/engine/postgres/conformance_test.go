package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plimsoll/internal/engine"
	"plimsoll/internal/engine/enginetest"
	"plimsoll/internal/engine/postgres"
	"plimsoll/internal/record"
)

func TestMain(m *testing.M) { enginetest.Main(m, postgres.Engine{}, nil) }

func TestConformance(t *testing.T) {
	if testing.Short() {
		t.Skip("it needs PostgreSQL")
	}
	enginetest.Run(t, postgres.Engine{},
		enginetest.Case{Name: "defaults", Answers: answers(map[string]string{"data_checksums": "off", "fsync": "on"})},
		enginetest.Case{Name: "Percona's", Params: record.Params{"preset": "percona", "checksums": "true",
			"settings": "work_mem = '12MB'\nmax_connections 50 # ours wins"},
			Answers: answers(map[string]string{"data_checksums": "on", "checkpoint_timeout": "1h", "work_mem": "12MB",
				"max_connections": "50", "wal_compression": "pglz"})},
	)
}

// answers asks the server for its settings, as a client with its password.
func answers(want map[string]string) func(engine.Params, engine.Instance) error {
	return func(_ engine.Params, i engine.Instance) error {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		c, err := pgx.Connect(ctx, i.(*postgres.Instance).DSN("postgres"))
		if err != nil {
			return err
		}
		defer c.Close(ctx)
		for name, value := range want {
			var got string
			if err := c.QueryRow(ctx, "show "+name).Scan(&got); err != nil || got != value {
				return fmt.Errorf("%s is %q (%v), want %q", name, got, err, value)
			}
		}
		return nil
	}
}

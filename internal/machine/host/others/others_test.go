package others

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// process is a line of a fixture: its times are in ticks.
type process struct {
	pid, parent    int
	comm           string
	self, children int
	born           int
	group          string
}

func machine(t *testing.T, busy int, all ...process) hostfs.Root {
	t.Helper()
	root := hostfs.Root{Proc: t.TempDir()}
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root.Proc, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("stat", fmt.Sprintf("cpu  %d 0 0 0 0 0 0 0 0 0\ncpu0 %d 0 0 0 0 0 0 0 0 0\n", busy, busy))
	for _, p := range all {
		write(fmt.Sprintf("%d/stat", p.pid), fmt.Sprintf("%d (%s) S %d 0 0 0 -1 0 0 0 0 0 %d 0 %d 0 20 0 1 0 %d%s\n", p.pid,
			p.comm, p.parent, p.self, p.children, p.born, strings.Repeat(" 0", 30)))
		write(fmt.Sprintf("%d/cgroup", p.pid), p.group)
	}
	return root
}

// TestBetween: the CPU time of the programs between two looks, by name and place, ours left out. What ended counts for
// the parent that waited for it, without what it had used before the first look.
func TestBetween(t *testing.T) {
	id := strings.Repeat("0123456789abcdef", 4)
	database := "0::/system.slice/system-postgresql.slice/postgresql@15-main.service\n"
	began := machine(t, 10_000,
		process{1, 0, "systemd", 50, 9000, 1, "0::/init.scope\n"},
		process{2, 0, "kthreadd", 0, 0, 1, "0::/\n"},
		process{3, 2, "kworker/0:1-events", 10, 0, 1, "0::/\n"},
		process{20, 1, "postgres", 100, 50, 5, database},
		process{21, 20, "postgres", 1000, 0, 6, database},
		process{22, 20, "postgres", 700, 0, 6, database}, // ends
		process{30, 1, "make", 5, 100, 7, "0::/user.slice/user-0.slice/user@0.service/app.slice/x.scope\n"},
		process{31, 30, "cc1", 300, 0, 8, ""}, // ends
		process{40, 1, "java", 100, 0, 9, "0::/system.slice/docker-" + id + ".scope\n"},
		process{60, 1, "server", 10, 0, 9, ""},
	)
	ended := machine(t, 10_550,
		process{1, 0, "systemd", 50, 9000, 1, "0::/init.scope\n"},
		process{2, 0, "kthreadd", 0, 0, 1, "0::/\n"},
		process{3, 2, "kworker/0:1-events", 30, 0, 1, "0::/\n"},
		process{20, 1, "postgres", 101, 770, 5, database}, // 700 of 720 are from before
		process{21, 20, "postgres", 1100, 0, 6, database},
		process{30, 1, "make", 6, 450, 7, "0::/user.slice/user-0.slice/user@0.service/app.slice/x.scope\n"},
		process{31, 1, "cc1", 4, 0, 99, ""}, // another of that number
		process{40, 1, "java", 160, 0, 9, "0::/system.slice/docker-" + id + ".scope\n"},
		process{41, 1, "ja\x1bva", 3, 0, 90, "0::/system.slice/docker-" + id + ".scope/inner\n"},
		process{60, 1, "server", 110, 0, 9, ""},
		process{61, 60, "worker", 50, 0, 90, ""},
	)
	look := func(root hostfs.Root) Look {
		l, err := LookAt(root)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	a, b := look(began), look(ended)
	b.at = a.at.Add(2 * time.Second)
	got := Between(ended, a, b, []int{60})
	want := []record.Program{
		{Name: "postgres", Unit: "postgresql@15-main.service", CPUS: 1.21},
		{Name: "java", Unit: "container 0123456789ab", CPUS: .63},
		{Name: "make", Children: true, CPUS: .51},
		{Name: "kworker", Unit: "the kernel", CPUS: .2},
		{Name: "cc1", CPUS: .04},
	}
	if fmt.Sprint(got.Programs) != fmt.Sprint(want) || got.WindowS != 2 || fmt.Sprintf("%.2f", got.RestS) != "0.00" ||
		fmt.Sprintf("%.2f", got.UnseenS) != "1.41" || got.CostS <= 0 {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

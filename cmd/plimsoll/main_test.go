package main

import (
	"flag"
	"os"
	"os/signal"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"plimsoll/internal/engine/enginetest"
)

// TestMain lets scripts run this build as the command plimsoll, also as the
// agent that a run starts: testscript puts it in PATH under that name.
func TestMain(m *testing.M) {
	testscript.Main(waiting{m}, map[string]func(){
		"plimsoll": onTree, "meters": meters, "norings": noRings, "halfwritten": halfWritten, "hostile": hostile,
		"standin": standIn})
}

// waiting are tests that mostly wait: more of them run at once than there are CPUs, unless -parallel says how many.
type waiting struct{ *testing.M }

// atOnce is how many keep two CPUs busy.
const atOnce = "6"

func (w waiting) Run() int {
	flag.Parse()
	if err := os.Setenv("PLIMSOLL_SAMPLE", givenSample); err != nil {
		panic(err)
	}
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if !said {
		if err := flag.Set("test.parallel", atOnce); err != nil {
			panic(err)
		}
	}
	return w.M.Run()
}

// standIn is a program that stands in for Redpanda's.
func standIn() { os.Exit(enginetest.Redpanda(os.Args[1:])) }

func TestScripts(t *testing.T) {
	t.Parallel()
	if signal.Ignored(unix.SIGHUP) { // as under nohup: scripts send it to programs that do not ignore it
		signal.Notify(make(chan os.Signal, 1), unix.SIGHUP)
	}
	testscript.Run(t, testscript.Params{
		Dir:       "testdata",
		Setup:     freshHome,
		Condition: condition,
		Cmds:      commands(),
	})
}

// givenSpeed is a machine's, for dry runs, which need not probe this one's: internal/machine/host/speed. first.txtar
// does.
const givenSpeed = "1,2,5e8,0.001"

// givenSample shortens the look at the machine's state with which each agent begins: internal/machine/host.
const givenSample = "20ms"

// freshHome gives a script a home of its own. bench.txtar builds from REPO, with the
// Go tool's caches below OWNER or where the user has put them.
func freshHome(env *testscript.Env) error {
	// A server that runs as another user must reach what a trial makes in the script's directory.
	if err := os.Chmod(filepath.Dir(env.WorkDir), 0o711); err != nil {
		return err
	}
	env.Setenv("OWNER", os.Getenv("HOME"))
	env.Setenv("HOME", env.WorkDir)
	env.Setenv("UNSHARE", unshareFlag())
	env.Setenv("PYTOOLS", pythonTools())
	name, err := os.Hostname()
	if err != nil {
		return err
	}
	env.Setenv("HOSTNAME", name)
	env.Setenv("ANSIBLE", ansibleDir())
	env.Setenv("KUBERNETES", kubernetesDir())
	for _, name := range []string{"GOPATH", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOFLAGS"} {
		env.Setenv(name, os.Getenv(name))
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		return err
	}
	env.Setenv("REPO", repo)
	env.Setenv("PLIMSOLL_SPEED", givenSpeed)
	env.Setenv("PLIMSOLL_SAMPLE", givenSample)
	return os.Symlink(filepath.Join(repo, "docs", "plimsoll.jq"), filepath.Join(env.WorkDir, ".jq"))
}

// pythonTools is the directory of the Python programs that scripts/python-tools installs: readers of what we export.
func pythonTools() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "plimsoll", "test-python", "bin")
}

package noise

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/topology"
)

// TestRunQueue: of two threads that share a CPU each waits while the other runs, whoever asks. Both began, and end,
// while they are watched.
func TestRunQueue(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("both threads must be ready at once")
	}
	files := opened(t)
	q := newRunQueue(hostfs.System(), os.Getpid())
	const each = 50 * time.Millisecond
	var ran, ended sync.WaitGroup
	ran.Add(2)
	read := make(chan struct{})
	for range 2 {
		ended.Go(func() {
			spin(t, each)
			ran.Done()
			<-read
		})
	}
	ran.Wait()
	if waited := q.longest(false); waited != 0 {
		t.Errorf("%g s, though nobody needs to know", waited)
	}
	if waited := q.longest(true); waited < each.Seconds()/3 || waited > 10 {
		t.Errorf("%g s; each ran for %v", waited, each)
	}
	if !q.waits {
		t.Error("nobody waited")
	}
	for beat := 1; q.waits && beat < 1000; beat++ { // it looks at each beat until nobody waits any more
		q.longest(false)
		if q.unread != 0 {
			t.Fatal("it does not look while threads wait")
		}
	}
	for beat := 1; beat < calmBeats; beat++ {
		if q.longest(false); q.unread != beat {
			t.Errorf("it looks at beat %d", beat)
		}
	}
	if q.longest(false); q.unread != 0 {
		t.Errorf("it has not looked for %d beats", calmBeats)
	}
	close(read)
	ended.Wait()
	q.longest(true)
	q.close()
	q.close()
	if q.longest(true) != 0 || opened(t) != files {
		t.Errorf("it reads on, or of its files %d are open", opened(t)-files)
	}
}

// TestRunQueueOfManyThreads: of more than it reads the caller's is one, and of those that end none stays open.
func TestRunQueueOfManyThreads(t *testing.T) {
	files := opened(t)
	var begun, ended sync.WaitGroup
	end := make(chan struct{})
	begun.Add(maxWatched)
	for range maxWatched {
		ended.Go(func() {
			runtime.LockOSThread() // and ends with it
			begun.Done()
			<-end
		})
	}
	begun.Wait()
	q := newRunQueue(hostfs.System(), os.Getpid())
	defer q.close()
	if len(q.threads) == 0 {
		t.Skip("no schedstat")
	}
	if n := len(q.threads); n != maxWatched || !q.cut || q.threads[n-1].name != strconv.Itoa(os.Getpid()) {
		t.Fatalf("%d threads, of more: %t; the last one is %s", n, q.cut, q.threads[n-1].name)
	}
	close(end)
	ended.Wait()
	tidy := func() bool {
		q.longest(true)
		n := len(q.threads)
		return n < maxWatched && !q.cut && q.threads[n-1].name == strconv.Itoa(os.Getpid()) && opened(t) == files+1+n
	}
	for start := time.Now(); !tidy(); time.Sleep(time.Millisecond) { // threads take a while to end
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d threads, of more: %t, %d files", len(q.threads), q.cut, opened(t)-files)
		}
	}
}

// spin uses so much CPU time on a thread of its own, on the first CPU that this process may use.
func spin(t *testing.T, how time.Duration) {
	runtime.LockOSThread() // and ends with it
	cpus, err := topology.Allowed()
	if err == nil {
		err = topology.Pin(cpus[0])
	}
	if err != nil {
		t.Error(err)
	}
	burn(how)
}

func opened(t *testing.T) int {
	t.Helper()
	files, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

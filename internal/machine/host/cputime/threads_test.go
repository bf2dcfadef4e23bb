package cputime

import (
	"math"
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

func TestThreads(t *testing.T) {
	ready, stop := make(chan int), make(chan bool)
	done := make(chan bool)
	go func() {
		runtime.LockOSThread() // the thread ends with its goroutine
		ready <- unix.Gettid()
		x := 0.0
		for i := range 10_000_000 {
			x += math.Sqrt(float64(i))
		}
		runtime.KeepAlive(x)
		ready <- 0
		<-stop
		close(done)
	}()
	account := NewThreads(<-ready)
	before, err := account.CPUSeconds()
	if err != nil {
		t.Fatal(err)
	}
	<-ready
	after, err := account.CPUSeconds()
	if err != nil || after <= before {
		t.Errorf("%v s, then %v s, %v", before, after, err)
	}
	whole, err := NewThreads().CPUSeconds()
	if err != nil || whole < after {
		t.Errorf("process %v s, its thread %v s, %v", whole, after, err)
	}
	close(stop)
	<-done
	if _, err := NewThreads(1 << 28).CPUSeconds(); err == nil {
		t.Error("a thread that does not exist must fail")
	}
}

func TestProcessSeconds(t *testing.T) {
	own, err := NewThreads().CPUSeconds()
	if err != nil {
		t.Fatal(err)
	}
	later, err := ProcessSeconds(os.Getpid())
	if err != nil || later < own || later > own+60 {
		t.Errorf("%v s by the clock of its pid, %v; %v s by its own before", later, err, own)
	}
	if s, err := ProcessSeconds(1 << 22); err == nil {
		t.Errorf("no process has that pid: %v s", s)
	}
}

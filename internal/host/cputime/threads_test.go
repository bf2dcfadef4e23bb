package cputime

import (
	"math"
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

package httpload

import (
	"net"
	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/load"
	"runtime"
	"testing"
	"time"
)

// TestHotLoopAllocatesNothing: over thousands of requests, whether they succeed or not.
func TestHotLoopAllocatesNothing(t *testing.T) {
	simtest.Long(t)
	for name, c := range map[string]Config{
		"answers":  {URLs: []string{fixedServer(t, "200 OK")}},
		"errors":   {URLs: []string{fixedServer(t, "503 No")}},
		"weighted": weighted(fixedServer(t, "200 OK")),
		"failing":  weighted(fixedServer(t, "503 No")),
		"values": {URLs: []string{fixedServer(t, "200 OK") + "{seq}?r={random:1:99}"}, Header: []string{"X: {uuid}"},
			Body: []byte(`{"id":"{uuid}","u":"{column u}"}`), Values: Values{Rows: &Rows{Names: []string{"u"},
				Cells: [][]string{{"a"}, {"bb"}}}}},
	} {
		target, err := New(c)
		if err != nil {
			t.Fatal(err)
		}
		g, err := load.New(load.Config{Load: clients(4), Lanes: 1, Warmup: 100 * time.Millisecond,
			Duration: time.Second}) // each client's buffers grow once: 40 allocations
		if err != nil {
			t.Fatal(err)
		}
		lane, err := target.NewLane(t.Context(), 4)
		if err != nil {
			t.Fatal(err)
		}
		defer lane.Close()
		runtime.GC()
		var before, after runtime.MemStats
		g.Start(g.Clock().Now())
		runtime.ReadMemStats(&before)
		err = lane.Run(t.Context(), g.Lane(0))
		runtime.ReadMemStats(&after)
		g.Lane(0).Leave()
		r := g.Result()
		requests := r.Ops + errorsOf(r)
		if n := after.Mallocs - before.Mallocs; err != nil || requests < 1000 || n > uint64(requests)/100 {
			t.Errorf("%s: %d allocations in %d requests, %v", name, n, requests, err)
		}
	}
}

// weighted returns requests of three kinds, drawn by weight.
func weighted(url string) Config {
	return Config{Weights: []int{3, 2, 1}, Seed: 7, Requests: []Request{
		{Name: "f:1", URL: url + "a", Header: []string{"X-A: b"}},
		{Name: "f:2", URL: url + "b", Method: "PUT", Body: []byte("body")}, {Name: "f:3", URL: url + "c", Method: "DELETE"},
	}}
}

// fixedServer answers each read with one answer, and allocates nothing for it.
func fixedServer(t testing.TB, status string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	answer := []byte("HTTP/1.1 " + status + "\r\nContent-Length: 12\r\nContent-Type: text/plain\r\n\r\nHello World!")
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				buf := make([]byte, 4096)
				for {
					if _, err := c.Read(buf); err != nil {
						return
					}
					if _, err := c.Write(answer); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/"
}

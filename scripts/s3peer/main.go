// S3peer loads a bucket by minio-go's client in a loop, as scripts/bench-s3 compares it with plimsoll: it writes its
// objects, does one operation over and over on each client, and prints operations, seconds and CPU seconds.
package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"flag"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/url"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

func main() {
	op := flag.String("op", "get", "get or put")
	size := flag.Int64("size", 1<<20, "bytes of an object")
	objects := flag.Int("objects", 64, "number of objects")
	clients := flag.Int("clients", 8, "clients")
	warm := flag.Duration("warm", time.Second, "warm-up")
	length := flag.Duration("for", 2*time.Second, "measured time")
	flag.Parse()
	if err := run(flag.Arg(0), *op, *size, *objects, *clients, *warm, *length); err != nil {
		fmt.Fprintln(os.Stderr, "s3peer:", err)
		os.Exit(1)
	}
}

func run(at, op string, size int64, objects, clients int, warm, length time.Duration) error {
	u, err := url.Parse(at)
	if err != nil || u.Host == "" {
		return fmt.Errorf("%q is not the URL of a bucket: http://HOST:PORT/BUCKET", at)
	}
	c, err := minio.New(u.Host, &minio.Options{Secure: u.Scheme == "https", Region: "us-east-1",
		Creds: credentials.NewEnvAWS()})
	if err != nil {
		return err
	}
	bucket, ctx := strings.Trim(u.Path, "/"), context.Background()
	body := make([]byte, size)
	_, _ = rand.Read(body)
	key := func(k int) string { return fmt.Sprintf("s3peer/00000/%08d", k) } // as deep as plimsoll's: a store looks up each part
	put := func(k int) error {
		_, err := c.PutObject(ctx, bucket, key(k), bytes.NewReader(body), size,
			minio.PutObjectOptions{DisableMultipart: true})
		return err
	}
	get := func(k int) error {
		o, err := c.GetObject(ctx, bucket, key(k), minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer o.Close()
		n, err := io.Copy(io.Discard, o)
		if err == nil && n != size {
			err = fmt.Errorf("%d bytes, not %d", n, size)
		}
		return err
	}
	do := map[string]func(int) error{"get": get, "put": put}[op]
	if do == nil {
		return fmt.Errorf("--op %s: it is get or put", op)
	}
	for k := range objects {
		if err := put(k); err != nil {
			return err
		}
	}
	var done atomic.Int64
	var failed atomic.Pointer[error]
	end := time.Now().Add(warm + length)
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for time.Now().Before(end) {
				if err := do(mathrand.IntN(objects)); err != nil {
					failed.Store(&err)
					return
				}
				done.Add(1)
			}
		})
	}
	time.Sleep(warm)
	ops, cpu, from := done.Load(), cpuTime(), time.Now()
	time.Sleep(length)
	ops, cpu = done.Load()-ops, cpuTime()-cpu
	took := time.Since(from)
	all.Wait()
	for k := range objects {
		if err := c.RemoveObject(ctx, bucket, key(k), minio.RemoveObjectOptions{}); err != nil {
			return err
		}
	}
	if err := failed.Load(); err != nil {
		return *err
	}
	fmt.Printf("ops %d\nseconds %.6f\ncpu %.6f\n", ops, took.Seconds(), cpu.Seconds())
	return nil
}

// cpuTime returns the CPU time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

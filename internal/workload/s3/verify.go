package s3

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"plimsoll/internal/record"
)

// mostReadBack bounds the bytes that are read back after the load.
const mostReadBack = 4 << 30

// Verify proves that the store has what it has acknowledged. A listing has each object and no other one. Objects,
// as many as mostReadBack allows, are read back in random order and compared. Then an existing store loses them.
func (d *driver) Verify(ctx context.Context) error {
	err := d.verify(ctx)
	d.forget()
	return err
}

func (d *driver) verify(ctx context.Context) error {
	if err := d.Cause(nil); err != nil {
		return err
	}
	if err := d.verifyListing(ctx); err != nil {
		return err
	}
	s := d.shared
	order := rand.New(rand.NewPCG(s.seed, 1)).Perm(len(s.objects.all))
	var read atomic.Int64
	return each(ctx, len(order), func(ctx context.Context, i int) error {
		k := order[i]
		size := s.sizes.all[s.objects.sizes[k]]
		if !s.objects.there(k) || read.Add(size) > mostReadBack {
			return nil
		}
		return d.verifyObject(ctx, k, size)
	})
}

// verifyObject reads an object back.
func (d *driver) verifyObject(ctx context.Context, k int, size int64) error {
	s := d.shared
	state := s.objects.all[k].acked.Load()
	err := d.client.same(ctx, s.keyOf(k), s.content.of(variantOf(k, state), size))
	if errors.Is(err, errMissing) || errors.Is(err, errOther) {
		return fmt.Errorf("%s: object %d of %s: %w\nhint: the store has lost a write", Name, k, record.FormatSize(size), err)
	}
	return err
}

// verifyListing compares the store's list with ours.
func (d *driver) verifyListing(ctx context.Context) error {
	s := d.shared
	listed := map[string]bool{}
	err := d.pages(ctx, func(p listing) error {
		for _, one := range p.Contents {
			listed[one.Key] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	for k := range s.objects.all {
		key := s.keyOf(k)
		if s.objects.there(k) && !listed[key] {
			return fmt.Errorf("%s: object %d: %w\nhint: the store's listing lacks it", Name, k, errMissing)
		}
		acked := s.objects.all[k].acked.Load()
		if gone := !isThere(acked) && s.objects.all[k].issued.Load() == acked; gone && listed[key] {
			return fmt.Errorf("%s: object %d is listed, but was deleted, or never written\nhint: the store has lost a delete",
				Name, k)
		}
		delete(listed, key)
	}
	if len(listed) > 0 {
		return fmt.Errorf("%s: the store lists %d objects below %s that were never written", Name, len(listed), s.prefix)
	}
	return nil
}

// perPage is the most that S3 lists at once.
const perPage = 1000

// pages calls take for each page of our objects.
func (d *driver) pages(ctx context.Context, take func(listing) error) error {
	room := len(d.shared.objects.all) + perPage // a store that never ends its list is ended here
	for token := ""; ; {
		p, err := d.client.page(ctx, d.shared.prefix, token, perPage)
		if err != nil {
			return err
		}
		if err := take(p); err != nil {
			return err
		}
		if !p.IsTruncated {
			return nil
		}
		if token = p.NextContinuationToken; token == "" {
			return fmt.Errorf("%s: %w", Name, errToken)
		}
		if room -= max(1, len(p.Contents)); room < 0 {
			return fmt.Errorf("%s: the store lists more objects below %s than were written", Name, d.shared.prefix)
		}
	}
}

// removing bounds the removal of a run's objects.
const removing = 2 * time.Minute

// removeAll removes what the run has written, and then what a listing still shows. It goes on after an interrupt.
func (d *driver) removeAll() error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), removing, fmt.Errorf("not done within %v", removing))
	defer cancel()
	s := d.shared
	err := each(ctx, len(s.objects.all), func(ctx context.Context, k int) error {
		if s.objects.all[k].issued.Load() == absent {
			return nil // it was never written
		}
		return d.client.remove(ctx, s.keyOf(k))
	})
	if s.mix.has(multipart) {
		err = errors.Join(err, d.abort(ctx))
	}
	err = errors.Join(err, d.pages(ctx, func(p listing) error {
		return each(ctx, len(p.Contents), func(ctx context.Context, i int) error {
			if !strings.HasPrefix(p.Contents[i].Key, s.prefix) {
				return fmt.Errorf("%s: the store lists %s below %s", Name, quoted(p.Contents[i].Key), s.prefix)
			}
			return d.client.remove(ctx, p.Contents[i].Key)
		})
	}))
	if err != nil {
		return fmt.Errorf("%w\nhint: objects may be left below %s in the bucket %s: aws s3 rm --recursive s3://%s/%s", err,
			s.prefix, quoted(d.client.bucket), d.client.bucket, s.prefix)
	}
	return nil
}

// abort ends uploads that aren't complete. MinIO lists the uploads of one object only, so each object whose write
// failed has a listing.
func (d *driver) abort(ctx context.Context) error {
	s := d.shared
	prefixes := []string{s.prefix}
	for k := range s.objects.all {
		if o := &s.objects.all[k]; o.issued.Load() != o.acked.Load() {
			prefixes = append(prefixes, s.keyOf(k))
		}
	}
	return each(ctx, len(prefixes), func(ctx context.Context, i int) error { return d.abortBelow(ctx, prefixes[i]) })
}

// abortBelow ends uploads below a prefix, page by page, until a page is empty or the last.
func (d *driver) abortBelow(ctx context.Context, prefix string) error {
	var page uploads
	for {
		var err error
		if page, err = d.client.uploads(ctx, prefix, page); err != nil {
			return err
		}
		err = each(ctx, len(page.Upload), func(ctx context.Context, i int) error {
			if !strings.HasPrefix(page.Upload[i].Key, d.shared.prefix) {
				return nil // somebody else's
			}
			return d.client.abort(ctx, page.Upload[i])
		})
		if err != nil || !page.IsTruncated || len(page.Upload) == 0 {
			return err
		}
	}
}

package bound

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
)

// Shares are handed out in order: a large one is not passed by small ones that
// came later, and what is only kept makes room.
func TestPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPool(10)
		take := func(n int64) (got func() bool, release func()) {
			done := make(chan func(), 1)
			go func() {
				r, err := p.Acquire(t.Context(), "it", n)
				if err != nil {
					t.Error(err)
				}
				done <- r
			}()
			synctest.Wait()
			return func() bool { synctest.Wait(); return len(done) == 1 }, func() { (<-done)() }
		}
		first, release := take(6)
		large, releaseLarge := take(8)
		small, releaseSmall := take(1)
		if !first() || large() || small() {
			t.Error("a share was handed out of turn")
		}
		release()
		if !large() || !small() {
			t.Error("room was not handed on")
		}
		releaseLarge()
		releaseSmall()

		kept := p.CacheValue("value", 7)
		v, done := kept.TakeUntilDone()
		if v != "value" {
			t.Fatal(v)
		}
		next, releaseNext := take(5)
		if next() {
			t.Error("what is in use was let go of")
		}
		done()
		if !next() {
			t.Error("what is only kept holds room")
		}
		if v, _ := kept.TakeUntilDone(); v != nil {
			t.Error("what was let go of is still there")
		}
		if v, _ := p.CacheValue("more", 6).TakeUntilDone(); v != nil {
			t.Error("more is kept than there is room for")
		}
		releaseNext()
	})
}

func TestPoolRefuses(t *testing.T) {
	p := NewPool(10)
	var over *Error
	if _, err := p.Acquire(t.Context(), "it", 11); !errors.As(err, &over) || err.Error() != "it: 11 bytes, over the limit of 10 bytes" {
		t.Error(err)
	}
	release, err := p.Acquire(t.Context(), "it", 10)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Acquire(ctx, "it", 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	release()
	release()
	if release, err = p.Acquire(t.Context(), "it", 10); err != nil {
		t.Fatal(err)
	}
	release()
}

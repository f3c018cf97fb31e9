package remote

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"concord/eval"
)

func TestUnfitWorkerGivesBackAndLeaves(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	bad := join(t, r.url(), "bad", func(context.Context, eval.Chat) (eval.Reply, error) {
		return eval.Reply{}, &eval.Failure{Kind: eval.FailureConfiguration, Message: "wrong key"}
	})
	replies := make(chan error, 1)
	go func() {
		_, err := r.answer(ask(1, "one"))
		replies <- err
	}()
	if err := <-bad.ended; err == nil || !strings.Contains(err.Error(), "wrong key") {
		t.Fatal(err)
	}
	join(t, r.url(), "good", echo)
	if err := <-replies; err != nil {
		t.Error(err)
	}
	if lines := strings.Join(r.holder.TakeLines(), "\n"); !strings.Contains(lines, "bad has left") || !strings.Contains(lines, "wrong key") {
		t.Error(lines)
	}
}

func TestKilledWorkersCallIsOutAgain(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes 20 s")
	}
	r := newRig(t, "127.0.0.1:0")
	taken := make(chan bool, 1)
	dead := join(t, r.url(), "dead", func(ctx context.Context, _ eval.Chat) (eval.Reply, error) {
		taken <- true
		<-ctx.Done()
		return eval.Reply{}, ctx.Err()
	})
	replies := make(chan error, 1)
	go func() {
		_, err := r.answer(ask(1, "one"))
		replies <- err
	}()
	<-taken
	dead.nc.Close() // as kill -9 does
	began := time.Now()
	join(t, r.url(), "alive", echo)
	if err := <-replies; err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("the call was out again after %v", took)
	}
}

func TestHolderThatStartsAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	url := r.url()
	hold := make(chan struct{})
	var calls atomic.Int32
	w := join(t, url, "w", func(ctx context.Context, c eval.Chat) (eval.Reply, error) {
		if calls.Add(1) == 1 {
			close(hold)
			<-ctx.Done()
			return eval.Reply{}, ctx.Err()
		}
		return echo(ctx, c)
	})
	go func() { _, _ = r.model.Answer(t.Context(), ask(1, "one")) }()
	<-hold
	r.server.Close()
	again := newRig(t, strings.TrimPrefix(url, "nats://"))
	if reply, err := again.answer(ask(1, "one")); err != nil || reply.Text != "re: one" {
		t.Fatal(reply, err)
	}
	rec := Recorder{&stored{facts: make(map[eval.Key]int)}, again.holder}
	if err := rec.Record(t.Context(), eval.Fact{Prediction: eval.Prediction{Key: eval.Key{Run: 1, Sample: 1}}}); err != nil {
		t.Fatal(err)
	}
	again.holder.Close("the run is done", true)
	if err := <-w.ended; err != nil {
		t.Error(err)
	}
}

func TestCapacityIsAnnounced(t *testing.T) {
	t.Parallel()
	r := newRig(t, "127.0.0.1:0")
	var sum atomic.Int32
	r.holder.SetResize(func(n int) { sum.Store(int32(n)) })
	a := join(t, r.url(), "a", echo)
	join(t, r.url(), "b", echo)
	eventually(t, "both are there", func() bool { return sum.Load() == 8 })
	a.stop()
	eventually(t, "one has left", func() bool { return sum.Load() == 4 })
}

// The holder of a worker is killed, and the next one is done before the worker has joined
// that: it leaves all the same.
func TestWorkerWhoMissesTheEndLeaves(t *testing.T) {
	t.Parallel()
	c := startCluster(t, -1, nil)
	killed := holdAt(t, c.url, Access{}, "m")
	w := join(t, c.url, "w", echo)
	if _, err := killed.answer(ask(1, "one")); err != nil {
		t.Fatal(err)
	}
	killed.nc.Close()
	holdAt(t, c.url, Access{}, "m").holder.Close("the run is done", true)
	if err := <-w.ended; err != nil {
		t.Error(err)
	}
}

// A worker that leaves with its run does so when the holder stops before the end, or does not
// come back, and says why.
func TestWorkerLeavesWithTheHolder(t *testing.T) {
	t.Parallel()
	c := startCluster(t, -1, nil)
	for _, stops := range []bool{true, false} {
		r := holdAt(t, c.url, Access{}, "m")
		w := join(t, c.url, "w", echo)
		if _, err := r.answer(ask(1, "one")); err != nil {
			t.Fatal(err)
		}
		want := "no holder answers for"
		if stops {
			want = "no space left"
			r.holder.Close("no space left", false)
		} else {
			r.nc.Close() // as kill -9 does
		}
		if err := <-w.ended; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

package store

import (
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"concord/annotate"
	"concord/eval"
	"concord/store/record"
)

// Judgments, items and acts come out of columns as they stand in records, also once there are more of
// them, and from records again where the columns are damaged.
func TestManyRecordsComeOutOfColumns(t *testing.T) {
	cache := t.TempDir()
	s, run := readable(t, Options{Cache: cache})
	ctx := t.Context()
	judge := func(from, to int) {
		var some []eval.Judgment
		for i := from; i < to; i++ {
			k := key(run.ID, i%600, 0)
			one := judged(k, []string{"gpt", "claude"}[i/600], []eval.Status{eval.Found, eval.Missing}[i%2])
			one.Confidence, one.Latency = float64(i%3)/3, time.Duration(i)
			one.At = eval.Either(i%2 == 0, time.Time{}, clock().Add(time.Duration(i)))
			one.Usage, one.Served, one.Earlier = eval.Usage{Prompt: i, Cached: 1, Completion: 2, Reasoning: 3}, "x", []string{"y"}
			if i%10 == 9 {
				one = unjudged(k, one.Judge, "down")
			}
			some = append(some, one)
		}
		got[int](t)(s.Judgments().Put(ctx, some))
	}
	addQueue(t, s, "q", run.ID, 1100)
	act := func(from, to int) {
		var some []annotate.Act
		for i := from; i < to; i++ {
			one := label("q", "ann", i+1, item(run.ID, i, 0), eval.Choice("AB"[i%2:i%2+1]))
			one.Spent, one.Reading.Several = time.Duration(i), []eval.Choice{"A"}[:i%2]
			some = append(some, one)
		}
		must(t, s.Acts().Append(ctx, some))
	}
	check := func(wantFiles int) {
		t.Helper()
		for range 2 {
			sameRecords(t, s.Judgments().Readings(ctx, run.ID), stripped(scanPrefix(ctx, s, record.Judgments, record.RunKey(run.ID))))
			sameRecords(t, s.Acts().QueueActs(ctx, "q"), scanPrefix(ctx, s, record.Acts, record.AppendName(nil, "q")))
			sameRecords(t, s.Queues().QueueItems(ctx, "q"), scanPrefix(ctx, s, record.Items, record.AppendName(nil, "q")))
		}
		if files := got[[]string](t)(filepath.Glob(filepath.Join(cache, "columns", "*", "*"))); len(files) != wantFiles {
			t.Fatalf("columns: %v, want %d", files, wantFiles)
		}
	}
	judge(0, 1200)
	act(0, 900)
	check(2)
	act(900, 1100)
	check(3)
	must(t, s.Judgments().RecordJudgment(ctx, judged(key(run.ID, 0, 0), "third", eval.Refused), false))
	must(t, s.Acts().Append(ctx, []annotate.Act{label("q", "ben", 1, item(run.ID, 0, 0), "C")}))
	check(3)
	for _, f := range got[[]string](t)(filepath.Glob(filepath.Join(cache, "columns", "*", "*"))) {
		raw := got[[]byte](t)(os.ReadFile(f))
		raw[len(raw)/2] ^= 1
		must(t, os.WriteFile(f, raw, 0o600))
	}
	check(3)
}

func stripped(all iter.Seq2[eval.Judgment, error]) iter.Seq2[eval.Judgment, error] {
	return eval.MapSeq(all, func(one eval.Judgment) (eval.Judgment, error) { dropTexts(&one); return one, nil })
}

func sameRecords[T any](t *testing.T, have, want iter.Seq2[T, error]) {
	t.Helper()
	got, all := all(t, have), all(t, want)
	same(t, len(got), len(all))
	for i := range got {
		same(t, got[i], all[i])
	}
}

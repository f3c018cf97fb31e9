package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/eval"
	"concord/store/file"
)

// known is what is in the project that is damaged.
type known struct {
	runs    []eval.Run
	contest eval.Comparison
	hashes  []eval.PictureHash
	samples int
}

// corruptible makes a project with labels, votes, criteria and pictures, whose
// pages have been freed and used again.
func corruptible(t *testing.T) ([]byte, known) {
	t.Helper()
	const n = 400
	path := filepath.Join(t.TempDir(), "p.db")
	s := got[*Store](t)(Open(path, Options{NoSync: true, Now: clock}))
	ctx := t.Context()
	var k known
	k.samples = n
	items := samples(n)
	for i := range items[:60] {
		data := make([]byte, 100+i*300)
		for j := range data {
			data[j] = byte(i*31 + j*7)
		}
		items[i].Sample.Pictures = []eval.Picture{{Hash: hashOf(data)}}
		items[i].Pictures = map[eval.PictureHash][]byte{hashOf(data): data}
		k.hashes = append(k.hashes, hashOf(data))
	}
	addDataset(t, s, "d", items)
	for _, model := range []string{"a", "b"} {
		run := addRun(t, s, model)
		got[int](t)(s.Runs().RecordAll(ctx, benchFacts(run.ID, 0, n)))
		must(t, s.Runs().Record(ctx, failure(key(run.ID, 1, 3), "no answer")))
		k.runs = append(k.runs, run)
	}
	addQueue(t, s, "q", k.runs[0].ID, n/2)
	for _, who := range []annotate.Annotator{"ann", "bob"} {
		for i := range n / 2 {
			must(t, s.Acts().Append(ctx, []annotate.Act{label("q", who, i+1, item(k.runs[0].ID, i, 0), eval.Choice(rune('A'+i%2)))}))
		}
	}
	for i := range n / 2 {
		p := preferred(eval.Ordinal(i), k.runs[0].ID, k.runs[1].ID, eval.Answer1)
		k.contest = p.Comparison()
		got[int](t)(s.Votes().Put(ctx, []eval.Preference{p}))
	}
	for o := range eval.Ordinal(n / 4) {
		_, err := actOn(t, s, o, criteria.Drafted, "ann", draft(fmt.Sprintf("criterion of %d", o)))
		must(t, err)
	}
	must(t, s.Leases().Put(ctx, "q", annotate.Lease{Item: item(k.runs[0].ID, 3, 0), Who: "ann", Until: clock().Add(time.Hour)}))
	must(t, s.Close())
	return got[[]byte](t)(os.ReadFile(path)), k
}

// outputs reads a project in the ways in which commands do.
func outputs(t *testing.T, path string, k known) map[string]output {
	out := make(map[string]output)
	s, err := Open(path, Options{ReadOnly: true, Now: clock})
	if err != nil {
		out["open"] = output{err: err}
		return out
	}
	defer func() { _ = s.Close() }()
	ctx := context.Background()
	note := func(name string, v any, err error) { out[name] = output{fmt.Sprintf("%+v", v), err} }
	datasets, err := s.Datasets().List()
	note("datasets", datasets, err)
	all, err := file.Collect(s.Datasets().Samples(ctx, "d"))
	note("samples", lines(all), err)
	ids, err := s.Datasets().SampleIDs(ctx, "d")
	note("ids", ids, err)
	runs, err := s.Runs().List()
	note("runs", runs, err)
	queues, err := s.Queues().List()
	note("queues", queues, err)
	tallies, err := s.Acts().Tallies("q")
	note("tally", tallies, err)
	for _, run := range k.runs {
		name := fmt.Sprintf(" of run %d", run.ID)
		counts, err := s.Runs().Counts(run.ID)
		note("counts"+name, counts, err)
		questions, err := file.Collect(s.Runs().Questions(ctx, run))
		note("questions"+name, lines(questions), err)
		latest, err := s.Runs().LatestPredictions(run.ID, 50)
		note("latest"+name, lines(latest), err)
		failures, err := s.Runs().FailedPredictions(ctx, run.ID, 50)
		note("failures"+name, failures, err)
		for i := range k.samples {
			p, err := s.Runs().Prediction(key(run.ID, i, 0))
			note(fmt.Sprintf("prediction %d%s", i, name), p, err)
		}
		_, err = s.Runs().Prediction(key(run.ID, k.samples+1, 0))
		note("no prediction"+name, errors.Is(err, eval.ErrNotFound), unlessAbsent(err))
		found, err := s.Runs().FindRun(run.Config)
		note("found"+name, found, err)
	}
	for _, who := range []annotate.Annotator{"ann", "bob"} {
		acts, err := s.Acts().Acts("q", who)
		note("acts of "+string(who), lines(acts), err)
		recent, err := s.Acts().RecentActs("q", who, time.Time{}, 20)
		note("recent acts of "+string(who), lines(recent), err)
		act, err := s.Acts().Act("q", who, 77)
		note("act of "+string(who), act, err)
	}
	crowds, err := s.Acts().Crowds("q")
	note("crowds", crowds, err)
	enrolled, err := file.Collect(s.Queues().QueueItems(ctx, "q"))
	note("items", lines(enrolled), err)
	for i := range 50 {
		it, err := s.Queues().Item(ctx, "q", i*4)
		note(fmt.Sprintf("item %d", i), it, err)
		keys, err := s.Queues().ItemsOfSample("q", eval.Ordinal(i*8))
		note(fmt.Sprintf("of sample %d", i*8), keys, err)
	}
	votes, err := file.Collect(s.Votes().OfComparison(ctx, k.contest))
	note("votes", lines(votes), err)
	contests, err := s.Votes().Comparisons(ctx)
	note("contests", contests, err)
	for i := range 20 {
		on, err := s.Votes().OnSample(ctx, k.contest, eval.Ordinal(i*9))
		note(fmt.Sprintf("votes on %d", i*9), on, err)
		set, err := s.Criteria().Set("d", eval.Ordinal(i*5))
		note(fmt.Sprintf("criteria of %d", i*5), fmt.Sprintf("%+v", set.Revisions), err)
	}
	sets, err := file.Collect(s.Criteria().All(ctx, "d"))
	note("criteria", len(sets), err)
	for i, h := range k.hashes {
		data, err := s.Datasets().Picture(h)
		note(fmt.Sprintf("image %d", i), len(data), err)
	}
	leases, err := s.Leases().OfQueue("q")
	note("leases", leases, err)
	return out
}

func unlessAbsent(err error) error {
	if errors.Is(err, eval.ErrNotFound) {
		return nil
	}
	return err
}

// lines are values one a line, without pointers.
func lines[T any](all []T) string {
	var b strings.Builder
	for _, v := range all {
		fmt.Fprintf(&b, "%+v\n", v)
	}
	return b.String()
}

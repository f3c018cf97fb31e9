package store

import (
	"context"
	"testing"

	"concord/annotate"
	"concord/eval"
)

// Killing a process tests nothing of syncing: the system keeps what was
// written. So the sync is asserted apart, by its settings and, where the
// system tells, by the pages that are not yet on the disk.
func TestAcknowledgedIsSynced(t *testing.T) {
	s := openTest(t, Options{})
	if s.file.DB().NoSync || s.file.DB().NoGrowSync || s.file.DB().NoFreelistSync {
		t.Fatalf("NoSync %v, NoGrowSync %v, NoFreelistSync %v", s.file.DB().NoSync, s.file.DB().NoGrowSync, s.file.DB().NoFreelistSync)
	}
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 20)
	for i := range 20 {
		k := key(run.ID, i, 0)
		must(t, s.Runs().Record(context.Background(), fact(k, "x", eval.Found)))
		clean(t, s.Path(), "Record")
		must(t, s.Acts().Append(context.Background(), []annotate.Act{label("q", "ann", i+1, annotate.NewItemKey(k), "A")}))
		clean(t, s.Path(), "Append")
	}
}

func clean(t *testing.T, path, after string) {
	t.Helper()
	n, err := dirtyPages(path)
	if err != nil {
		t.Skip("pages cannot be counted here:", err)
	}
	if n > 0 {
		t.Errorf("%d pages are not on the disk after %s", n, after)
	}
}

// The count above would see pages that are not synced.
func TestDirtyPagesAreSeen(t *testing.T) {
	s := openTest(t, Options{NoSync: true})
	addRun(t, s, "m")
	n, err := dirtyPages(s.Path())
	if err != nil {
		t.Skip("pages cannot be counted here:", err)
	}
	if n == 0 {
		t.Skip("this file system writes through")
	}
}

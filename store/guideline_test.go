package store

import (
	"errors"
	"testing"

	"concord/annotate"
)

func TestGuidelinesAreKept(t *testing.T) {
	s := openTest(t, Options{})
	ctx := t.Context()
	run := addRun(t, s, "m")
	addQueue(t, s, "q", run.ID, 0)
	if all := got[[]annotate.Guideline](t)(s.Queues().Guidelines("q")); len(all) != 0 {
		t.Errorf("a queue without a guideline has %v", all)
	}
	first := got[annotate.Guideline](t)(annotate.Guideline{}.NextVersion("Read the end.\r\n", "ann", clock()))
	second := got[annotate.Guideline](t)(first.NextVersion("Read all of it.", "bob", clock()))
	must(t, s.Queues().SetGuideline(ctx, "q", first))
	must(t, s.Queues().SetGuideline(ctx, "q", second))
	if err := s.Queues().SetGuideline(ctx, "q", second); !errors.Is(err, annotate.ErrConflict) {
		t.Errorf("the version in force again: %v", err)
	}
	same(t, got[[]annotate.Guideline](t)(s.Queues().Guidelines("q")), []annotate.Guideline{
		{Version: 1, Text: "Read the end.", By: "ann", At: clock()}, {Version: 2, Text: "Read all of it.", By: "bob", At: clock()},
	})
	same(t, got[annotate.Queue](t)(s.Queues().Queue("q")).Guideline, second)
	if _, err := second.NextVersion(" Read all of it.\n", "cy", clock()); !errors.Is(err, annotate.ErrSameGuideline) {
		t.Errorf("the same text: %v", err)
	}
}

// A project of before keeps its guideline, as the first version of whoever
// made the queue.
func TestGuidelineOfBefore(t *testing.T) {
	q := withCurrentGuideline(annotate.Queue{Guideline: annotate.Guideline{Text: "g"}, By: "ann", Created: clock()})
	same(t, q.Guideline, annotate.Guideline{Version: 1, Text: "g", By: "ann", At: clock()})
}

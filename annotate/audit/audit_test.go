package audit

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/packet"
	"concord/annotate/rubric"
	"concord/eval"
)

func at(minute int) time.Time { return time.Date(2026, 3, 1, 12, minute, 0, 0, time.UTC) }

func told(all Seq) string {
	var out []string
	for e, err := range all {
		if err != nil {
			out = append(out, "error: "+err.Error())
			continue
		}
		out = append(out, e.What)
	}
	return strings.Join(out, "; ")
}

func seq[T any](all ...T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}

func events(minutes ...int) []Event {
	var out []Event
	for _, m := range minutes {
		e := Event{What: fmt.Sprint(m), At: at(m)}
		if m < 0 {
			e.At = time.Time{}
		}
		out = append(out, e)
	}
	return out
}

func TestEventsComeByTimeAndActsByNumber(t *testing.T) {
	check := func(want string, all ...[]Event) {
		t.Helper()
		var seqs []Seq
		for _, one := range all {
			seqs = append(seqs, NewSeq(one))
		}
		if got := told(MergeSeqs(seqs...)); got != want {
			t.Errorf("merged %q, want %q", got, want)
		}
		if got := told(NewSeq(MergeInMemory(all))); got != want {
			t.Errorf("sorted %q, want %q", got, want)
		}
	}
	check("")
	check("1; 2; 3; 4", events(1, 4), events(2, 3), events())
	check("2; 5; 3; 6", events(5, 3, 6), events(2))           // a clock that was put back
	check("5; 1; 5; 6", events(5, 1), events(5, 6))           // of one time: the earlier sequence first
	check("-1; 1; 2; -1; 3", events(1, 2, -1, 3), events(-1)) // a time that nobody knows
}

func TestMergeEndsWithAnErrorAndWithItsReader(t *testing.T) {
	stopped := 0
	endless := func(yield func(Event, error) bool) {
		defer func() { stopped++ }()
		for yield(Event{What: "x"}, nil) {
		}
	}
	broken := func(yield func(Event, error) bool) {
		_ = yield(Event{At: at(1), What: "y"}, nil) && yield(Event{}, errors.New("broken"))
	}
	n := 0
	for _, err := range MergeSeqs(endless, endless) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 5 {
			break
		}
	}
	if got := told(MergeSeqs(NewSeq(events(2)), broken)); got != "y; error: broken" || stopped != 2 {
		t.Errorf("%q, %d sequences ended", got, stopped)
	}
}

func TestLast(t *testing.T) {
	for n, want := range map[int]string{1: "5", 2: "4; 5", 5: "1; 2; 3; 4; 5", 9: "1; 2; 3; 4; 5"} {
		got, err := LastEvents(NewSeq(events(1, 2, 3, 4, 5)), n)
		if told(NewSeq(got)) != want || err != nil {
			t.Errorf("last %d: %q, %v", n, told(NewSeq(got)), err)
		}
	}
}

func TestActsSayWhatTheyTakeBack(t *testing.T) {
	label := annotate.Reading{Kind: annotate.PickedOption, Choice: "B"}
	acts := []annotate.Act{
		{Kind: annotate.Labelled, Reading: label},
		{Kind: annotate.TookBack, Target: 1},
		{Kind: annotate.TookBack, Target: 2},
		{Kind: annotate.TookBack, Target: 3},
		{Kind: annotate.Looked},
		{Kind: annotate.Labelled, Reading: annotate.Reading{Kind: annotate.SaidNone}, Informed: true},
		{Kind: annotate.Labelled, Reading: annotate.Reading{Kind: annotate.Voted, Vote: eval.Answer1, Swapped: true}, Imported: true},
		{Kind: annotate.Labelled, Reading: annotate.Reading{Kind: annotate.Scored, Score: 4}},
		{Kind: annotate.TooLate, Reading: label},
		{Kind: annotate.Ruled, Reading: label, Cause: annotate.JudgeRight},
		{Kind: annotate.Noted, Text: "odd\x1b"},
		{Kind: annotate.Noted},
		{Kind: annotate.Skipped},
		{Kind: annotate.Flagged},
		{Kind: annotate.TookBack, Target: 20}, // nothing that there is
	}
	for i := range acts {
		acts[i].N, acts[i].Annotator, acts[i].Queue = uint32(i+1), "ann", "q"
	}
	all := ActEvents("d", seq(acts...), func(n uint32) (annotate.Act, error) { return acts[n-1], nil })
	want := "label B; undo label B; redo label B; undo label B; reveal; label none, after the reveal; vote answer1, answers swapped; score 4; " +
		"label B, too late: counts for nothing; adjudication B, judge_right; note: odd\x1b; note removed; skip; flag; undo an act"
	if got := told(all); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	var kinds []string
	for e, err := range all {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, string(e.Kind))
		if _, err := ParseKind(string(e.Kind)); err != nil {
			t.Error(err)
		}
		if e.Who != "ann" || e.Queue != "q" || e.Dataset != "d" || !e.Sampled || e.Imported != (e.N == 7) {
			t.Errorf("%+v", e)
		}
	}
	if got := strings.Join(kinds, " "); got != "label undo redo undo reveal label vote score late ruling note note skip flag undo" {
		t.Errorf("kinds are %s", got)
	}
	lost := func(uint32) (annotate.Act, error) { return annotate.Act{}, errors.New("lost") }
	if got := told(ActEvents("d", seq(acts[1]), lost)); got != "error: lost" {
		t.Errorf("an act that cannot be read: %q", got)
	}
}

func TestCriteriaAndCuration(t *testing.T) {
	acts := []criteria.Act{
		{Sample: 1, N: 1, Kind: criteria.Drafted, Criteria: make([]criteria.Criterion, 2), At: at(1)},
		{Sample: 1, N: 2, Kind: criteria.TookBack, Target: 1, At: at(5)},
		{Sample: 1, N: 3, Kind: criteria.TookBack, Target: 2, At: at(4)},
		{Sample: 2, N: 1, Kind: criteria.Assigned, Assignee: "bob", At: at(2)},
		{Sample: 2, N: 2, Kind: criteria.Discarded, Reason: "blurred", At: at(6)},
	}
	all, err := CriteriaEvents(seq(acts...))
	want := "draft of 2 criteria; assign to bob; undo draft of 2 criteria; redo draft of 2 criteria; discard the sample: blurred"
	if got := told(NewSeq(all)); got != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	got := told(NewSeq(CurationEvents([]curation.Act{
		{N: 1, Kind: curation.Judged, Verdict: curation.Duplicate},
		{N: 2, Kind: curation.Ruled, Verdict: curation.NeedsImage, Axis: []string{"a", "b"}, Informed: true},
		{N: 3, Kind: curation.TookBack, Target: 1},
		{N: 4, Kind: curation.TookBack, Target: 3},
	})))
	if got != "verdict duplicate; adjudication needs_image, axis a / b, after the reveal; undo verdict duplicate; redo verdict duplicate" {
		t.Errorf("got %q", got)
	}
}

func TestEveryKindOfActHasItsWord(t *testing.T) {
	for k := annotate.Labelled; k <= annotate.Ruled; k++ {
		if kind, _ := describeAct(&annotate.Act{Kind: k, Reading: annotate.Reading{Kind: annotate.SaidNone}}); string(kind) != k.String() {
			t.Errorf("%s is told as %s", k, kind)
		}
	}
	for k := criteria.Drafted; k <= criteria.TookBack; k++ {
		if _, err := ParseKind(k.String()); err != nil {
			t.Error(err)
		}
	}
	if k, err := ParseKind(rubric.Gave.String()); err != nil || k != Grade {
		t.Error(k, err)
	}
	for k := curation.Judged; k <= curation.Ruled; k++ {
		if _, err := ParseKind(k.String()); err != nil {
			t.Error(err)
		}
	}
}

func TestPeople(t *testing.T) {
	got := told(NewSeq(PersonEvents([]annotate.Person{
		{Name: "ann", Role: annotate.RoleAnnotator, Keys: []string{"k"}, At: at(1)},
		{Name: "ann", Role: annotate.RoleCurator, Keys: []string{"k"}, At: at(3)},
		{Name: "ann", Role: annotate.RoleCurator, Keys: []string{"l"}, At: at(4)},
		{Name: "ann", Role: annotate.RoleNone, Keys: []string{"l"}, At: at(5)},
		{Name: "bob", Role: annotate.RoleOwner, At: at(2)},
	}, strings.ToUpper)))
	want := "let ann in as annotator, with key K; let bob in as owner; make ann curator (was annotator); change ann, with key L, without key K; let ann in no more (was curator)"
	if got != want {
		t.Errorf("got %q", got)
	}
}

func TestPackets(t *testing.T) {
	got := told(NewSeq(PacketEvents([]packet.Packet{
		{ID: "p1", Queue: "q", Who: "ann", By: "lea", Made: at(1), Keys: make([]annotate.ItemKey, 2), Recalled: at(3), Merged: at(5), Labels: 1},
		{ID: "p2", Queue: "q", Who: "bob", By: "lea", Made: at(2), Keys: make([]annotate.ItemKey, 1)},
		{ID: "p3", Here: true},
	}, func(annotate.QueueName) eval.DatasetName { return "d" })))
	want := "packet p1 for ann: 2 items; packet p2 for bob: 1 item; packet p1 of ann called back; packet p1 of ann came home: 1 label by now"
	if got != want {
		t.Errorf("got %q", got)
	}
}

func TestFilter(t *testing.T) {
	e := Event{At: at(5), Who: "ann", Kind: Label, Queue: "q", Dataset: "d"}
	check := func(f Filter, want bool) {
		t.Helper()
		if f.Keeps(&e) != want {
			t.Errorf("%+v keeps %+v: %v", f, e, !want)
		}
	}
	check(Filter{}, true)
	check(Filter{Queue: "q", Dataset: "d", By: "ann", Since: at(5), Until: at(6), Kinds: []Kind{Vote, Label}}, true)
	check(Filter{Queue: "p"}, false)
	check(Filter{Dataset: "p"}, false)
	check(Filter{By: "bob"}, false)
	check(Filter{Since: at(6)}, false)
	check(Filter{Until: at(5)}, false)
	check(Filter{Kinds: []Kind{Vote}}, false)
	for f, want := range map[Kind]bool{Label: true, Undo: true, Ruling: true, Draft: false, Verdict: false, Packet: false} {
		if (&Filter{Kinds: []Kind{f}}).WantsActs() != want {
			t.Errorf("acts of queues for %s: %v", f, !want)
		}
	}
	e.At = time.Time{}
	check(Filter{}, true)
	check(Filter{Since: at(1)}, false)
	check(Filter{Until: at(9)}, false)
}

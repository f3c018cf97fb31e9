package accessible

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/session"
	"concord/eval"
)

// table is a queue, a journal and machines in memory.
type table struct {
	queue annotate.Queue
	items []annotate.Item
	acts  []annotate.Act
	late  []annotate.Act
	stuck error // why nothing is durable
}

func (b *table) Open(_ context.Context, _ annotate.QueueName, who annotate.Annotator) (session.Opening, error) {
	o := session.Opening{Queue: b.queue, Annotator: who}
	for i := range b.items {
		o.Items = append(o.Items, annotate.QueueItem{Index: i, Key: b.items[i].Key})
	}
	return o, nil
}

func (b *table) ItemsSince(context.Context, annotate.QueueName, int) (annotate.Queue, []annotate.QueueItem, error) {
	return b.queue, nil, nil
}

func (b *table) Item(_ context.Context, _ annotate.QueueName, i int) (annotate.Item, error) {
	return b.items[i], nil
}

func (b *table) Submit(a annotate.Act) { b.acts = append(b.acts, a) }
func (b *table) RetryParked()          { b.stuck = nil }

func (b *table) SyncStream(context.Context, annotate.QueueName, annotate.Annotator) error {
	return b.stuck
}

func (b *table) LastSaved(annotate.QueueName, annotate.Annotator) uint32 { return uint32(len(b.acts)) }

func (b *table) LateActs(annotate.QueueName, annotate.Annotator) []annotate.Act { return b.late }

func (b *table) Reveal(context.Context, annotate.QueueName, annotate.ItemKey, bool) (blind.Revealed, error) {
	return blind.Revealed{Model: "secret", Truth: "B", Readings: []blind.MachineReading{
		{Extractor: "judge", Judge: true, Extraction: eval.Extraction{Status: eval.Found, Choice: "B"}},
	}}, nil
}

func (b *table) RevealPair(_ context.Context, _ annotate.QueueName, k annotate.ItemKey) (blind.RevealedPair, error) {
	return blind.RevealedPair{Model: "first", Against: "second"}, nil
}

// hears runs a queueSession over lines and gives what was told.
func (b *table) hears(t *testing.T, lines ...string) string {
	t.Helper()
	var out strings.Builder
	err := RunQueue(t.Context(), Deps{
		Queue: "q", Annotator: "ann", Items: b, Journal: b, Machine: b, In: NewLines(strings.NewReader(strings.Join(lines, "\n"))), Out: &out,
		Now: func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) },
	})
	if err != nil && !errors.Is(err, b.stuck) {
		t.Fatal(err)
	}
	return out.String()
}

func labels(n int) *table {
	b := &table{queue: annotate.Queue{Name: "q", Items: n, Rule: annotate.Rule{From: annotate.FromAll}}}
	for i := range n {
		b.items = append(b.items, annotate.Item{
			Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)}), Sample: "s", Question: "Which?",
			Options: []eval.Option{{Letter: "A", Text: "cat"}, {Letter: "B", Text: "dog"}}, Prediction: "\x1b[31mthe dog",
		})
	}
	return b
}

// told checks that all of these were told, in this order.
func told(t *testing.T, out string, want ...string) {
	t.Helper()
	rest := out
	for _, w := range want {
		_, after, ok := strings.Cut(rest, w)
		if !ok {
			t.Fatalf("%q is not told, or not there:\n%s", w, out)
		}
		rest = after
	}
}

func TestNothingIsRevealedBeforeTheAnswer(t *testing.T) {
	b := labels(2)
	out := b.hears(t, "reveal", "b", "back", "reveal")
	told(t, out, "not shown before your own answer", "B, saved", "Your answer: B.", "The model is secret", "judge reads B: agrees")
	if before, _, _ := strings.Cut(out, "B, saved"); strings.Contains(before, "secret") {
		t.Error("the model's name is told before the answer")
	}
	if strings.Contains(out, "\x1b") {
		t.Error("control characters of an answer are told as they are")
	}
	if a := b.acts[1]; a.Kind != annotate.Looked {
		t.Errorf("that it was asked for is not stored: %s", a.Kind)
	}
}

func TestWhatIsNotSavedIsSaidSo(t *testing.T) {
	b := labels(1)
	b.stuck = errors.New("the disk is full")
	out := b.hears(t, "A", "save", "where")
	told(t, out, "NOT SAVED: the disk is full", "All is saved.", "0 open")
	if strings.Contains(out, "A, saved") {
		t.Error("it is said to be saved")
	}
}

func TestSomebodyWasQuicker(t *testing.T) {
	b := labels(2)
	b.late = []annotate.Act{{Queue: "q", Annotator: "ann", N: 1, Kind: annotate.TooLate, Item: b.items[0].Key}}
	told(t, b.hears(t, "A"), "Somebody was quicker: 1 item", "Item 1 of 1")
}

func TestVotesSpeakOfTheAnswersAsTold(t *testing.T) {
	b := &table{queue: annotate.Queue{Name: "q", Items: 2, Criteria: true, Rule: annotate.Rule{From: annotate.FromPairs, Seed: 1}}}
	for i := range 2 {
		b.items = append(b.items, annotate.Item{
			Key: annotate.ItemKey{Key: eval.Key{Run: 1, Sample: eval.Ordinal(i)}, Against: 2}, Sample: "s", Question: "Which?",
			Prediction: "of first", Against: "of second", Criteria: "1. be kind", Revision: "hash",
		})
	}
	out := b.hears(t, "A", "1", "back", "reveal")
	told(t, out, "Criteria: 1. be kind", "Answer 1: of ", "A: type 1, 2, tie or bad.", "Answer 1, saved", "Answer 1 is of ")
	act := b.acts[0]
	shown, _, _ := strings.Cut(strings.SplitN(out, "Answer 1: of ", 2)[1], "\n")
	if want := map[bool]string{true: "second", false: "first"}[act.Reading.Swapped]; shown != want || act.Reading.Vote != eval.Answer1 || act.Reading.Criteria != "hash" {
		t.Errorf("%s was told first, and the act is %+v", shown, act.Reading)
	}
}

func TestScores(t *testing.T) {
	b := labels(1)
	b.items[0].Kind, b.items[0].Options, b.items[0].Reference = eval.KindOpen, nil, "a dog"
	out := b.hears(t, "x", "5")
	told(t, out, "Right answer: a dog", "5: completely right", "type a score from 1 to 5", "Score 5, saved")
}

// A reveal that could not be stored is not told, the second time either.
func TestARevealIsStoredBeforeItIsTold(t *testing.T) {
	b := labels(1)
	d := []string{"A", "back", "reveal", "reveal"}
	b.stuck = errors.New("the disk is full")
	if out := b.hears(t, d...); strings.Contains(out, "secret") {
		t.Errorf("told before it is stored:\n%s", out)
	}
}

func TestAReasonStaysWithItsItem(t *testing.T) {
	b := labels(2)
	b.hears(t, "why 80% it says so", "again", "B", "A")
	if a, c := b.acts[0], b.acts[1]; a.Reason != "it says so" || a.Confidence != 0.8 || c.Reason != "" {
		t.Errorf("%+v %+v", a, c)
	}
}

func TestAnAnswerCannotSpeakForConcord(t *testing.T) {
	b := labels(1)
	b.items[0].Prediction = "A\nEnd of the answer.\n> B, saved 12:00:00."
	for _, l := range strings.Split(b.hears(t, "quit"), "\n") {
		if strings.HasPrefix(l, "> B, saved") {
			t.Errorf("the answer says %q", l)
		}
	}
}

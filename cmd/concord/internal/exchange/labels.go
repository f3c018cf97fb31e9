package exchange

import (
	"context"
	"errors"
	"fmt"

	"concord/annotate"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// LabelImport turns rows of a file into acts.
type LabelImport struct {
	Rows
	Store *store.Store
	Queue annotate.Queue
	Runs  facts.RunIndex
	hands *hands
	taken map[annotate.ItemKey]annotate.Crowd // who has labelled it
	known map[annotate.ItemKey]bool           // items whose answer is known
	Holds map[annotate.ItemKey]bool           // of a queue that is not stored yet: its items
}

// NewLabelImport reads what the labels of a queue are held against.
func NewLabelImport(st *store.Store, name annotate.QueueName, path string, a *project.Project) (*LabelImport, error) {
	q, err := st.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	if err := q.ForLabels(); err != nil {
		return nil, fmt.Errorf("import labels: %w (see: concord import %s --help)", err, insteadOfLabels(&q))
	}
	runs, err := facts.IndexRuns(st, q.Rule.Dataset, q.Rule.Runs)
	if err != nil {
		return nil, err
	}
	in := NewSampleImport(st, q, runs, path, a)
	in.Holds = nil
	if in.taken, err = st.Acts().Crowds(name); err != nil {
		return nil, err
	}
	golds, err := st.Queues().GoldItems(name)
	if err != nil {
		return nil, err
	}
	for _, g := range golds {
		in.known[g.Key] = true
	}
	return in, nil
}

// NewSampleImport is an import into a queue that is yet to be made of what the
// file holds.
func NewSampleImport(st *store.Store, q annotate.Queue, runs facts.RunIndex, path string, a *project.Project) *LabelImport {
	return &LabelImport{
		Rows:  Rows{Sum: RowSummary{Queue: q.Name, Problems: []dataset.Problem{}}, Path: path, Project: a},
		Store: st, Queue: q, Runs: runs, taken: make(map[annotate.ItemKey]annotate.Crowd), hands: newHands(st, q.Name),
		known: make(map[annotate.ItemKey]bool), Holds: make(map[annotate.ItemKey]bool),
	}
}

// Take takes one row.
func (in *LabelImport) Take(row rowfile.LabelRow, err error) error {
	if err != nil {
		return in.Skip(0, err)
	}
	reading, err := ReadingOf(&row)
	if err != nil {
		return in.Skip(row.Line, err)
	}
	key, err := in.find(row, reading)
	if err != nil {
		return in.Skip(row.Line, err)
	}
	h, err := in.hands.account(annotate.Annotator(row.Annotator))
	if err != nil {
		return err
	}
	if row.Ruling {
		return in.rule(&row, h, key, reading)
	}
	if old, ok := h.state.Labels[key]; ok {
		return in.again(&row, sameWord(old.Reading, reading), "labelled this item otherwise already; that label is kept")
	}
	crowd := in.taken[key]
	if crowd.People >= in.Queue.Wants(crowd.Differ(), in.known[key]) {
		return in.Skip(row.Line, fmt.Errorf("sample %s pass %d: %w (overlap %d)", row.Sample, row.Pass, annotate.ErrTaken, in.Queue.Wanted()))
	}
	crowd.Join(reading)
	in.taken[key] = crowd
	in.add(h, &row, annotate.Act{Item: key, Kind: annotate.Labelled, Reading: reading, Reason: row.Reason, Confidence: row.Confidence, Guideline: row.Guideline})
	h.state.Labels[key] = annotate.Label{Reading: reading}
	return nil
}

// sameWord reports whether a file says of an item what is there already.
func sameWord(a, b annotate.Reading) bool { return a.Verdict == b.Verdict && a.Word() == b.Word() }

// again is a row of somebody on an item of which they have said something.
func (in *LabelImport) again(row *rowfile.LabelRow, same bool, has string) error {
	if !same {
		return in.Skip(row.Line, fmt.Errorf("%s has %s", row.Annotator, has))
	}
	in.Sum.Read++
	in.Sum.Unchanged++
	return nil
}

// add adds the act of a row, with the note of it, unless that stands already: a
// person has one of each item, beside a label and a ruling alike.
func (in *LabelImport) add(h *hand, row *rowfile.LabelRow, act annotate.Act) {
	act.At, act.Informed = in.At(row.At), row.Informed
	in.hands.add(h, annotate.Annotator(row.Annotator), act)
	if row.Note != "" && h.state.Notes[act.Item] != row.Note {
		h.state.Notes[act.Item] = row.Note
		in.hands.add(h, annotate.Annotator(row.Annotator), annotate.Act{Item: act.Item, Kind: annotate.Noted, Text: row.Note, At: in.At(row.At)})
	}
	in.Sum.Read++
	in.Sum.Added++
}

// rule takes an adjudicator's ruling, which takes nobody's place.
func (in *LabelImport) rule(row *rowfile.LabelRow, h *hand, key annotate.ItemKey, reading annotate.Reading) error {
	var cause annotate.Cause
	if row.Cause != "" {
		var err error
		if cause, err = annotate.ParseCause(row.Cause); err != nil {
			return in.Skip(row.Line, err)
		}
	}
	if old, ok := h.state.Rulings[key]; ok {
		return in.again(row, sameWord(old.Reading, reading) && old.Cause == cause, "adjudicated this item otherwise already; that adjudication is kept")
	}
	in.add(h, row, annotate.Act{Item: key, Kind: annotate.Ruled, Reading: reading, Cause: cause})
	h.state.Rulings[key] = annotate.Ruling{Reading: reading, Cause: cause}
	return nil
}

// find is the queue's item that a row is about.
func (in *LabelImport) find(row rowfile.LabelRow, r annotate.Reading) (annotate.ItemKey, error) {
	k, err := in.Prediction(row, r)
	if err != nil {
		return k, err
	}
	if in.Holds != nil {
		if !in.Holds[k] {
			return k, fmt.Errorf("sample %s pass %d is not in the sample", row.Sample, row.Pass)
		}
		return k, nil
	}
	if _, err := in.Store.Queues().IndexOf(in.Queue.Name, k); err != nil {
		return k, fmt.Errorf("sample %s pass %d is not in queue %s", row.Sample, row.Pass, in.Queue.Name)
	}
	return k, nil
}

// Prediction is the one that a row is about, which can be read so.
func (in *LabelImport) Prediction(row rowfile.LabelRow, r annotate.Reading) (annotate.ItemKey, error) {
	s, err := in.Store.Datasets().SampleByID(in.Queue.Rule.Dataset, row.Sample)
	if err != nil {
		return annotate.ItemKey{}, err
	}
	run, err := in.Runs.Of(row.Model)
	if err != nil {
		return annotate.ItemKey{}, err
	}
	k := annotate.ItemOf(eval.Key{Run: run, Sample: s.Ordinal, Pass: row.Pass})
	if r.Verdict == annotate.Scored && !annotate.Scorable(&s) {
		return k, fmt.Errorf("sample %s takes no score: it is not open, or has no reference", row.Sample)
	}
	p, err := in.Store.Runs().Prediction(k.Key)
	if errors.Is(err, eval.ErrNotFound) {
		err = fmt.Errorf("sample %s pass %d has no prediction in run %d: %w", row.Sample, row.Pass, run, eval.ErrNotFound)
	}
	if err != nil {
		return k, err
	}
	return k, CheckOffered(p.Asked(&s), s.Kind, r.Choice)
}

// Commit stores what was taken.
func (in *LabelImport) Commit(ctx context.Context) error { return in.hands.commit(ctx) }

// ReadingOf reads what a row says was meant.
func ReadingOf(row *rowfile.LabelRow) (annotate.Reading, error) {
	if row.Score != 0 {
		return annotate.Reading{Verdict: annotate.Scored, Score: row.Score}, nil
	}
	switch row.Status {
	case eval.Found:
		return annotate.Reading{Verdict: annotate.PickedOption, Choice: row.Choice}, nil
	case eval.None:
		return annotate.Reading{Verdict: annotate.SaidNone}, nil
	case eval.Ambiguous:
		return annotate.Reading{Verdict: annotate.SaidAmbiguous}, nil
	case eval.Refused:
		return annotate.Reading{Verdict: annotate.SaidRefused}, nil
	case eval.StatusUnset, eval.Missing:
	}
	return annotate.Reading{}, errors.New("the row has no choice")
}

// CheckOffered checks that a choice is one of those that were shown.
func CheckOffered(shown eval.Shown, kind eval.Kind, c eval.Choice) error {
	if c == "" || kind == eval.KindYesNo && (c == eval.Yes || c == eval.No) {
		return nil
	}
	for _, o := range shown.Options {
		if o.Letter == c {
			return nil
		}
	}
	return fmt.Errorf("choice %s is not among the options of this sample", c)
}

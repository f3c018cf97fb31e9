package exchange

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// hands are what everybody whom a file names did in a queue, stored and new.
type hands struct {
	st    *store.Store
	queue annotate.QueueName
	of    map[annotate.Annotator]*hand
	order []annotate.Annotator
}

func newHands(st *store.Store, name annotate.QueueName) *hands {
	return &hands{st: st, queue: name, of: make(map[annotate.Annotator]*hand)}
}

// hand is one annotator's acts, stored and new.
type hand struct {
	acts  []annotate.Act
	state annotate.State
	fresh int // index of the first new act
}

// hand gives the acts of somebody.
func (h *hands) hand(who annotate.Annotator) (*hand, error) {
	if one := h.of[who]; one != nil {
		return one, nil
	}
	acts, err := h.st.Acts().Acts(h.queue, who)
	if err != nil {
		return nil, err
	}
	one := &hand{acts: acts, state: annotate.Fold(acts), fresh: len(acts)}
	h.of[who], h.order = one, append(h.order, who)
	return one, nil
}

// add adds an act that a file tells.
func (h *hands) add(to *hand, who annotate.Annotator, act annotate.Act) {
	act.Queue, act.Annotator, act.Imported = h.queue, who, true
	act.N = uint32(len(to.acts) + 1)
	to.acts = append(to.acts, act)
}

// commit stores what is new.
func (h *hands) commit(ctx context.Context) error {
	for _, who := range h.order {
		one := h.of[who]
		for part := range slices.Chunk(one.acts[one.fresh:], ActBatch) {
			if err := h.st.Acts().Append(ctx, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// NewLabelImport reads what the labels of a queue are held against.
func NewLabelImport(st *store.Store, name annotate.QueueName, path string, a *project.Project) (*LabelImport, error) {
	q, err := st.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	if err := q.ForLabels(); err != nil {
		return nil, fmt.Errorf("import labels: %w (see: concord import votes --help)", err)
	}
	runs, err := facts.IndexRuns(st, q.Rule.Dataset, q.Rule.Runs)
	if err != nil {
		return nil, err
	}
	taken, err := st.Acts().Crowds(name)
	if err != nil {
		return nil, err
	}
	in := &LabelImport{Store: st, Queue: q, Runs: runs, taken: taken, hands: newHands(st, name), known: make(map[annotate.ItemKey]bool)}
	golds, err := st.Queues().GoldItems(name)
	if err != nil {
		return nil, err
	}
	for _, g := range golds {
		in.known[g.Key] = true
	}
	in.Rows = Rows{Sum: RowSummary{Queue: name, Problems: []dataset.Problem{}}, Path: path, Project: a}
	return in, nil
}

// NewSampleImport is an import into a queue that is yet to be made of what the
// file holds.
func NewSampleImport(st *store.Store, q annotate.Queue, runs facts.RunIndex, path string, a *project.Project) *LabelImport {
	in := &LabelImport{
		Store: st, Queue: q, Runs: runs, taken: make(map[annotate.ItemKey]annotate.Crowd), hands: newHands(st, q.Name),
		known: make(map[annotate.ItemKey]bool), Holds: make(map[annotate.ItemKey]bool),
	}
	in.Rows = Rows{Sum: RowSummary{Queue: q.Name, Problems: []dataset.Problem{}}, Path: path, Project: a}
	return in
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
	h, err := in.hands.hand(annotate.Annotator(row.Annotator))
	if err != nil {
		return err
	}
	if row.Ruling {
		return in.rule(&row, h, key, reading)
	}
	if old, ok := h.state.Labels[key]; ok {
		if old.Reading.Verdict == reading.Verdict && old.Reading.Word() == reading.Word() {
			in.Sum.Read++
			in.Sum.Unchanged++
			return nil
		}
		return in.Skip(row.Line, fmt.Errorf("%s has labelled this item otherwise already; that label is kept", row.Annotator))
	}
	crowd := in.taken[key]
	if crowd.People >= in.Queue.Wants(crowd.Differ(), in.known[key]) {
		return in.Skip(row.Line, fmt.Errorf("sample %s pass %d: %w (overlap %d)", row.Sample, row.Pass, annotate.ErrTaken, in.Queue.Wanted()))
	}
	crowd.Join(reading)
	in.taken[key] = crowd
	at := in.At(row.At)
	act := annotate.Act{Item: key, Kind: annotate.Labelled, Reading: reading, Reason: row.Reason, Confidence: row.Confidence, Informed: row.Informed, Guideline: row.Guideline, At: at}
	in.hands.add(h, annotate.Annotator(row.Annotator), act)
	in.note(h, &row, key)
	h.state.Labels[key] = annotate.Label{Reading: reading}
	in.Sum.Read++
	in.Sum.Added++
	return nil
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
		if old.Reading.Verdict == reading.Verdict && old.Reading.Word() == reading.Word() && old.Cause == cause {
			in.Sum.Read++
			in.Sum.Unchanged++
			return nil
		}
		return in.Skip(row.Line, fmt.Errorf("%s has adjudicated this item otherwise already; that adjudication is kept", row.Annotator))
	}
	in.hands.add(h, annotate.Annotator(row.Annotator), annotate.Act{
		Item: key, Kind: annotate.Ruled, Reading: reading, Cause: cause, Informed: row.Informed, At: in.At(row.At),
	})
	in.note(h, row, key)
	h.state.Rulings[key] = annotate.Ruling{Reading: reading, Cause: cause}
	in.Sum.Read++
	in.Sum.Added++
	return nil
}

// note adds the note of a row, unless it stands already: a person has one of
// each item, beside a label and a ruling alike.
func (in *LabelImport) note(h *hand, row *rowfile.LabelRow, key annotate.ItemKey) {
	if row.Note == "" || h.state.Notes[key] == row.Note {
		return
	}
	h.state.Notes[key] = row.Note
	in.hands.add(h, annotate.Annotator(row.Annotator), annotate.Act{Item: key, Kind: annotate.Noted, Text: row.Note, At: in.At(row.At)})
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

// ActBatch is how many acts a transaction of an import holds.
const ActBatch = 5000

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

package exchange

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"concord/annotate"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/store"
)

// LabelImporter turns rows of a file into acts.
type LabelImporter struct {
	RowCounter
	Store *store.Store
	Queue annotate.Queue
	Runs  *facts.RunSet
	hands *actStreams
	taken map[annotate.ItemKey]annotate.Crowd // who has labelled it
	known map[annotate.ItemKey]bool           // items whose answer is known
	Holds map[annotate.ItemKey]bool           // of a queue that is not stored yet: its items
}

// NewLabelImport reads what the labels of a queue are held against.
func NewLabelImport(st *store.Store, name annotate.QueueName, path string, a *project.Project) (*LabelImporter, error) {
	q, err := st.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	if err := q.CheckTakesLabels(); err != nil {
		return nil, fmt.Errorf("import labels: %w (see: concord import %s --help)", err, describeOtherContent(&q))
	}
	runs, err := facts.NewNamedRunSet(st, q.Rule.Dataset, q.Rule.Runs)
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
	in.known = annotate.KnownItems(golds)
	return in, nil
}

// NewSampleImport gives an import into a queue that is yet to be made of what the file holds.
func NewSampleImport(st *store.Store, q annotate.Queue, runs *facts.RunSet, path string, a *project.Project) *LabelImporter {
	return &LabelImporter{
		RowCounter: RowCounter{Sum: RowSummary{Queue: q.Name, Problems: []dataset.Problem{}}, Path: path, Project: a},
		Store:      st, Queue: q, Runs: runs, taken: make(map[annotate.ItemKey]annotate.Crowd), hands: newActStreams(st, q.Name),
		known: make(map[annotate.ItemKey]bool), Holds: make(map[annotate.ItemKey]bool),
	}
}

// ImportRow takes one row.
func (in *LabelImporter) ImportRow(row rowfile.LabelRow, err error) error {
	if err != nil {
		return in.CountSkippedRow(0, err)
	}
	reading, err := ReadingOfRow(&row)
	if err == nil {
		err = in.checkAndSortTags(&row)
	}
	var key annotate.ItemKey
	if err == nil {
		key, err = in.findItem(row, reading)
	}
	if err != nil {
		return in.CountSkippedRow(row.Line, err)
	}
	h, err := in.hands.actsOfPerson(annotate.Annotator(row.Annotator))
	if err != nil {
		return err
	}
	if row.Ruling {
		return in.addRuling(&row, h, key, reading)
	}
	if old, ok := h.state.Labels[key]; ok {
		return in.importRepeatedRow(&row, isSameReading(old.Reading, reading), "labelled this item otherwise already; that label is kept")
	}
	crowd := in.taken[key]
	if crowd.People >= in.Queue.LabelsWantedOfItem(crowd.Differs(), in.known[key]) {
		return in.CountSkippedRow(row.Line, fmt.Errorf("sample %s pass %d: %w (overlap %d)", row.Sample, row.Pass, annotate.ErrTaken, in.Queue.WantedLabelsIfAgreed()))
	}
	crowd.AddLabel(reading)
	in.taken[key] = crowd
	in.addRowAct(h, &row, annotate.Act{Item: key, Kind: annotate.Labelled, Reading: reading, Reason: row.Reason, Confidence: row.Confidence, Guideline: row.Guideline})
	h.state.Labels[key] = annotate.Label{Reading: reading}
	return nil
}

// isSameReading reports whether a file says of an item what is there already.
func isSameReading(a, b annotate.Reading) bool { return a.Kind == b.Kind && a.Word() == b.Word() }

// importRepeatedRow is a row of somebody on an item of which they have said something.
func (in *LabelImporter) importRepeatedRow(row *rowfile.LabelRow, same bool, has string) error {
	if !same {
		return in.CountSkippedRow(row.Line, fmt.Errorf("%s has %s", row.Annotator, has))
	}
	in.Sum.Read++
	in.Sum.Unchanged++
	return nil
}

// addRowAct adds the act of a row, with the note of it, unless that stands already: a
// person has one of each item, beside a label and a ruling alike.
func (in *LabelImporter) addRowAct(h *actStream, row *rowfile.LabelRow, act annotate.Act) {
	act.At, act.Informed = in.TimeOrNow(row.At), row.Informed
	in.hands.addImportedAct(h, annotate.Annotator(row.Annotator), act)
	if row.Note != "" && h.state.Notes[act.Item] != row.Note {
		h.state.Notes[act.Item] = row.Note
		in.hands.addImportedAct(h, annotate.Annotator(row.Annotator), annotate.Act{Item: act.Item, Kind: annotate.Noted, Text: row.Note, At: in.TimeOrNow(row.At)})
	}
	if text := strings.Join(row.Tags, annotate.TagMark); text != "" && text != strings.Join(h.state.Tags[act.Item], annotate.TagMark) {
		h.state.Tags[act.Item] = row.Tags
		in.hands.addImportedAct(h, annotate.Annotator(row.Annotator), annotate.Act{Item: act.Item, Kind: annotate.Tagged, Text: text, At: in.TimeOrNow(row.At)})
	}
	in.Sum.Read++
	in.Sum.Added++
}

// checkAndSortTags checks the tags of a row against those of the queue, and puts them in the order
// of these. A queue without any takes none, which is told once.
func (in *LabelImporter) checkAndSortTags(row *rowfile.LabelRow) error {
	set := &in.Queue.Tags
	if set.Name == "" && len(row.Tags) > 0 {
		row.Tags = nil
		if in.Sum.Warnings++; in.Sum.Warnings == 1 {
			in.reportProblem(dataset.Problem{File: filepath.Base(in.Path), Line: row.Line, Reason: "tags are not taken: the queue has none (see: concord queue create --tags)"})
		}
	}
	text := ""
	for _, tag := range row.Tags {
		var ok bool
		if text, ok = set.ToggleTag(annotate.ListTags(text), tag); !ok {
			return fmt.Errorf("tag %.90q is none of the tags %s", tag, set.ID())
		}
	}
	row.Tags = annotate.ListTags(text)
	return nil
}

// addRuling takes an adjudicator's ruling, which takes nobody's place.
func (in *LabelImporter) addRuling(row *rowfile.LabelRow, h *actStream, key annotate.ItemKey, reading annotate.Reading) error {
	var cause annotate.Cause
	if row.Cause != "" {
		var err error
		if cause, err = annotate.ParseCause(row.Cause); err != nil {
			return in.CountSkippedRow(row.Line, err)
		}
	}
	if old, ok := h.state.Rulings[key]; ok {
		return in.importRepeatedRow(row, isSameReading(old.Reading, reading) && old.Cause == cause, "adjudicated this item otherwise already; that adjudication is kept")
	}
	in.addRowAct(h, row, annotate.Act{Item: key, Kind: annotate.Ruled, Reading: reading, Cause: cause})
	h.state.Rulings[key] = annotate.Ruling{Reading: reading, Cause: cause}
	return nil
}

// findItem finds the queue's item that a row is about.
func (in *LabelImporter) findItem(row rowfile.LabelRow, r annotate.Reading) (annotate.ItemKey, error) {
	k, err := in.FindLabelledPrediction(row, r)
	if err != nil {
		return k, err
	}
	if in.Holds != nil {
		if !in.Holds[k] {
			return k, fmt.Errorf("sample %s pass %d is not in the sample", row.Sample, row.Pass)
		}
		return k, nil
	}
	if _, err := in.Store.Queues().IndexOfItem(in.Queue.Name, k); err != nil {
		return k, fmt.Errorf("sample %s pass %d is not in queue %s", row.Sample, row.Pass, in.Queue.Name)
	}
	return k, nil
}

// FindLabelledPrediction finds the one that a row is about, which can be read so.
func (in *LabelImporter) FindLabelledPrediction(row rowfile.LabelRow, r annotate.Reading) (annotate.ItemKey, error) {
	s, err := in.Store.Datasets().SampleByID(in.Queue.Rule.Dataset, row.Sample)
	if err != nil {
		return annotate.ItemKey{}, err
	}
	run, err := in.Runs.FindRunOrOnly(row.Model, row.Run)
	if err != nil {
		return annotate.ItemKey{}, err
	}
	k := annotate.NewItemKey(eval.Key{Run: run, Sample: s.Ordinal, Pass: row.Pass})
	if r.Kind == annotate.Scored && !annotate.IsScorable(&s) {
		return k, fmt.Errorf("sample %s takes no score: it is not open, or has no reference", row.Sample)
	}
	p, err := in.Store.Runs().Prediction(k.Key)
	if errors.Is(err, eval.ErrNotFound) {
		err = eval.NewNotFoundError("sample %s pass %d has no prediction in run %d", row.Sample, row.Pass, run)
	}
	if err != nil {
		return k, err
	}
	if set := &in.Queue.Labels; set.Name != "" {
		switch word := set.WordOfKey(r.Choice); {
		case word == "":
			return k, fmt.Errorf("choice %s is none of the labels %s", r.Word(), set.ID())
		case row.Label != "" && row.Label != word:
			return k, fmt.Errorf("choice %s is %.90q in the file, and %q among the labels %s", r.Word(), row.Label, word, set.ID())
		}
		return k, nil
	}
	return k, CheckChoiceOffered(p.ShownQuestion(&s), s.Kind, r.Choice)
}

// Commit stores what was taken.
func (in *LabelImporter) Commit(ctx context.Context) error { return in.hands.storeNewActs(ctx) }

// ReadingOfRow reads what a row says was meant.
func ReadingOfRow(row *rowfile.LabelRow) (annotate.Reading, error) {
	if row.Score != 0 {
		return annotate.Reading{Kind: annotate.Scored, Score: row.Score}, nil
	}
	kinds := map[eval.Status]annotate.ReadingKind{
		eval.Found: annotate.PickedOption, eval.None: annotate.SaidNone, eval.Ambiguous: annotate.SaidAmbiguous, eval.Refused: annotate.SaidRefused,
	}
	if kind, ok := kinds[row.Status]; ok {
		return annotate.Reading{Kind: kind, Choice: row.Choice}, nil
	}
	return annotate.Reading{}, errors.New("the row has no choice")
}

// CheckChoiceOffered checks that a choice is one of those that were shown.
func CheckChoiceOffered(shown eval.Shown, kind eval.Kind, c eval.Choice) error {
	if c == "" || kind == eval.KindYesNo && (c == eval.Yes || c == eval.No) ||
		slices.ContainsFunc(shown.Options, func(o eval.Option) bool { return o.Letter == c }) {
		return nil
	}
	return fmt.Errorf("choice %s is not among the options of this sample", c)
}

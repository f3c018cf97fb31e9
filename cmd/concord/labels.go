package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
)

func newImportLabelsCmd(a *app) *cobra.Command {
	var queue string
	cmd := &cobra.Command{
		Use:   "labels FILE --queue NAME",
		Short: "Import what people labelled elsewhere",
		Long: `Imports JSON lines or CSV with the columns sample, pass (default 0), model (may
be left out when the queue has one), annotator, choice (an option's letter, or
none, ambiguous, refused) or, of an open answer, score (1 to 5), and, optionally,
confidence, reason, note, at, informed, guideline (a version's number). A row whose act is ruling is an
adjudicator's, with an optional cause (person_right, judge_right, ambiguous,
both_wrong): it is no label. A label that is there already is left as
it is, and an item takes no more labels than its queue's overlap.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				in, err := newLabelImport(st, annotate.QueueName(queue), args[0], a)
				if err != nil {
					return err
				}
				for row, err := range dataset.ReadLabels(args[0]) {
					if err := in.take(row, err); err != nil {
						return fmt.Errorf("import labels: %w", err)
					}
				}
				if err := in.commit(cmd.Context()); err != nil {
					return fmt.Errorf("import labels: %w", err)
				}
				return printRowsImported(a, in.sum)
			})
		},
	}
	cmd.Flags().StringVar(&queue, "queue", "", "the queue that was labelled (required)")
	a.require(cmd, "queue")
	return cmd
}

// rowSummary is what an import of labels, judgments or criteria did.
type rowSummary struct {
	Queue     annotate.QueueName `json:"queue,omitempty"`
	Dataset   eval.DatasetName   `json:"dataset,omitempty"`
	Read      int                `json:"read"`
	Added     int                `json:"added"`
	Revised   int                `json:"revised,omitempty"` // took the place of another
	Unchanged int                `json:"unchanged"`
	Skipped   int                `json:"skipped"`
	Warnings  int                `json:"warnings,omitempty"`
	Problems  []dataset.Problem  `json:"problems"`
}

func printRowsImported(a *app, s rowSummary) error {
	if a.json {
		return a.writeJSON(s)
	}
	warnings := ""
	if s.Warnings > 0 {
		warnings = fmt.Sprintf(", %d warnings", s.Warnings)
	}
	revised := ""
	if s.Revised > 0 {
		revised = fmt.Sprintf(", revised %d", s.Revised)
	}
	_, err := fmt.Fprintf(a.out, "read %d, skipped %d, added %d%s, unchanged %d%s\n", s.Read, s.Skipped, s.Added, revised, s.Unchanged, warnings)
	return err
}

// rows counts the rows of a file and reports those that are left out.
type rows struct {
	sum  rowSummary
	path string
	app  *app
}

// skip counts a row that cannot be taken. An error that is not about one row
// ends the import.
func (r *rows) skip(line int, err error) error {
	var p *dataset.Problem
	if !errors.As(err, &p) {
		if line == 0 {
			return err
		}
		p = &dataset.Problem{File: filepath.Base(r.path), Line: line, Reason: err.Error()}
	}
	r.sum.Skipped++
	if len(r.sum.Problems) < 100 {
		r.sum.Problems = append(r.sum.Problems, *p)
	}
	r.app.problem(*p)
	return nil
}

// labelImport turns rows of a file into acts.
type labelImport struct {
	rows
	st    *store.Store
	queue annotate.Queue
	runs  runIndex
	hands map[annotate.Annotator]*hand
	order []annotate.Annotator
	taken map[annotate.ItemKey]annotate.Crowd // who has labelled it
	known map[annotate.ItemKey]bool           // items whose answer is known
}

// hand is one annotator's acts, stored and new.
type hand struct {
	acts  []annotate.Act
	state annotate.State
	fresh int // index of the first new act
}

func newLabelImport(st *store.Store, name annotate.QueueName, path string, a *app) (*labelImport, error) {
	q, err := st.Queues().Queue(name)
	if err != nil {
		return nil, err
	}
	if err := q.ForLabels(); err != nil {
		return nil, fmt.Errorf("import labels: %w (see: concord import votes --help)", err)
	}
	runs, err := indexRuns(st, q.Rule.Dataset, q.Rule.Runs)
	if err != nil {
		return nil, err
	}
	taken, err := st.Acts().Crowds(name)
	if err != nil {
		return nil, err
	}
	in := &labelImport{st: st, queue: q, runs: runs, taken: taken, hands: make(map[annotate.Annotator]*hand), known: make(map[annotate.ItemKey]bool)}
	golds, err := st.Queues().Golds(name)
	if err != nil {
		return nil, err
	}
	for _, g := range golds {
		in.known[g.Key] = true
	}
	in.rows = rows{sum: rowSummary{Queue: name, Problems: []dataset.Problem{}}, path: path, app: a}
	return in, nil
}

func (in *labelImport) take(row dataset.LabelRow, err error) error {
	if err != nil {
		return in.skip(0, err)
	}
	reading, err := readingOf(&row)
	if err != nil {
		return in.skip(row.Line, err)
	}
	key, err := in.find(row, reading)
	if err != nil {
		return in.skip(row.Line, err)
	}
	h, err := in.hand(annotate.Annotator(row.Annotator))
	if err != nil {
		return err
	}
	if row.Ruling {
		return in.rule(&row, h, key, reading)
	}
	if old, ok := h.state.Labels[key]; ok {
		if old.Reading.Verdict == reading.Verdict && old.Reading.Word() == reading.Word() {
			in.sum.Read++
			in.sum.Unchanged++
			return nil
		}
		return in.skip(row.Line, fmt.Errorf("%s has labelled this item otherwise already; that label is kept", row.Annotator))
	}
	crowd := in.taken[key]
	if crowd.People >= in.queue.Wants(crowd.Differ(), in.known[key]) {
		return in.skip(row.Line, fmt.Errorf("sample %s pass %d: %w (overlap %d)", row.Sample, row.Pass, annotate.ErrTaken, in.queue.Wanted()))
	}
	crowd.Join(reading)
	in.taken[key] = crowd
	at := in.when(&row)
	act := annotate.Act{Item: key, Kind: annotate.Labelled, Reading: reading, Reason: row.Reason, Confidence: row.Confidence, Informed: row.Informed, Guideline: row.Guideline, At: at}
	in.add(h, annotate.Annotator(row.Annotator), act)
	in.note(h, &row, key)
	h.state.Labels[key] = annotate.Label{Reading: reading}
	in.sum.Read++
	in.sum.Added++
	return nil
}

// rule takes an adjudicator's ruling, which takes nobody's place.
func (in *labelImport) rule(row *dataset.LabelRow, h *hand, key annotate.ItemKey, reading annotate.Reading) error {
	var cause annotate.Cause
	if row.Cause != "" {
		var err error
		if cause, err = annotate.ParseCause(row.Cause); err != nil {
			return in.skip(row.Line, err)
		}
	}
	if old, ok := h.state.Rulings[key]; ok {
		if old.Reading.Verdict == reading.Verdict && old.Reading.Word() == reading.Word() && old.Cause == cause {
			in.sum.Read++
			in.sum.Unchanged++
			return nil
		}
		return in.skip(row.Line, fmt.Errorf("%s has settled this item otherwise already; that ruling is kept", row.Annotator))
	}
	in.add(h, annotate.Annotator(row.Annotator), annotate.Act{
		Item: key, Kind: annotate.Ruled, Reading: reading, Cause: cause, Informed: row.Informed, At: in.when(row),
	})
	in.note(h, row, key)
	h.state.Rulings[key] = annotate.Ruling{Reading: reading, Cause: cause}
	in.sum.Read++
	in.sum.Added++
	return nil
}

func (in *labelImport) when(row *dataset.LabelRow) time.Time {
	if row.At.IsZero() {
		return in.app.now()
	}
	return row.At
}

// note adds the note of a row, unless it stands already: a person has one of
// each item, beside a label and a ruling alike.
func (in *labelImport) note(h *hand, row *dataset.LabelRow, key annotate.ItemKey) {
	if row.Note == "" || h.state.Notes[key] == row.Note {
		return
	}
	h.state.Notes[key] = row.Note
	in.add(h, annotate.Annotator(row.Annotator), annotate.Act{Item: key, Kind: annotate.Noted, Text: row.Note, At: in.when(row)})
}

func (in *labelImport) add(h *hand, who annotate.Annotator, act annotate.Act) {
	act.Queue, act.Annotator, act.Imported = in.queue.Name, who, true
	act.N = uint32(len(h.acts) + 1)
	h.acts = append(h.acts, act)
}

// find is the queue's item that a row is about.
func (in *labelImport) find(row dataset.LabelRow, r annotate.Reading) (annotate.ItemKey, error) {
	k, err := in.prediction(row, r)
	if err != nil {
		return k, err
	}
	if _, err := in.st.Queues().IndexOf(in.queue.Name, k); err != nil {
		return k, fmt.Errorf("sample %s pass %d is not in queue %s", row.Sample, row.Pass, in.queue.Name)
	}
	return k, nil
}

// prediction is the one that a row is about, which can be read so.
func (in *labelImport) prediction(row dataset.LabelRow, r annotate.Reading) (annotate.ItemKey, error) {
	s, err := in.st.Datasets().SampleByID(in.queue.Rule.Dataset, row.Sample)
	if err != nil {
		return annotate.ItemKey{}, err
	}
	run, err := in.runs.of(row.Model)
	if err != nil {
		return annotate.ItemKey{}, err
	}
	k := annotate.ItemOf(eval.Key{Run: run, Sample: s.Ordinal, Pass: row.Pass})
	if r.Verdict == annotate.Scored && !annotate.Scorable(&s) {
		return k, fmt.Errorf("sample %s takes no score: it is not open, or has no reference", row.Sample)
	}
	p, err := in.st.Runs().Prediction(k.Key)
	if errors.Is(err, eval.ErrNotFound) {
		err = fmt.Errorf("sample %s pass %d has no prediction in run %d: %w", row.Sample, row.Pass, run, eval.ErrNotFound)
	}
	if err != nil {
		return k, err
	}
	return k, offered(p.Asked(&s), s.Kind, r.Choice)
}

func (in *labelImport) hand(who annotate.Annotator) (*hand, error) {
	if h := in.hands[who]; h != nil {
		return h, nil
	}
	acts, err := in.st.Acts().Acts(in.queue.Name, who)
	if err != nil {
		return nil, err
	}
	h := &hand{acts: acts, state: annotate.Fold(acts), fresh: len(acts)}
	in.hands[who] = h
	in.order = append(in.order, who)
	return h, nil
}

// actBatch is how many acts a transaction of an import holds.
const actBatch = 5000

func (in *labelImport) commit(ctx context.Context) error {
	for _, who := range in.order {
		h := in.hands[who]
		for part := range slices.Chunk(h.acts[h.fresh:], actBatch) {
			if err := in.st.Acts().Append(ctx, part); err != nil {
				return err
			}
		}
	}
	return nil
}

func readingOf(row *dataset.LabelRow) (annotate.Reading, error) {
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

// offered checks that a choice is one of those that were shown.
func offered(shown eval.Shown, kind eval.Kind, c eval.Choice) error {
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

package view

import (
	"context"
	"errors"
	"iter"
	"strings"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/curation"
	"concord/cmd/concord/internal/curating"
	"concord/eval"
	"concord/store"
	"concord/tui/adjudicate"
	"concord/tui/curate"
	"concord/tui/samples"
)

// Of yields the predictions of the keys, as read by an extractor. Each is
// recorded as shown before it is yielded.
func (s Samples) Of(ctx context.Context, a samples.Ask, keys iter.Seq2[eval.Key, error]) iter.Seq2[samples.Row, error] {
	d := &drilling{ctx: ctx, Samples: s, ask: a, watches: make(map[eval.DatasetName]*watch), sealed: make(map[eval.Key]bool)}
	return recorded(d.rows(keys), func(rows []samples.Row) error {
		var all []annotate.Disclosure
		for i := range rows {
			all = append(all, d.tells(&rows[i])...)
		}
		return s.Policy.Show(ctx, a.Who, "samples of a report", all)
	})
}

// tells is what a row tells. What experts say of a sample is listed to those who
// were shown it before.
func (d *drilling) tells(row *samples.Row) []annotate.Disclosure {
	out := tells(row.Dataset, row)
	_, judge := strings.CutPrefix(d.ask.Extractor, "rules:")
	if t := (telling{of: row.Dataset, key: row.Key}); !row.LeftOut {
		t.add(annotate.JudgeContent, d.ask.Extractor != "" && !judge && row.Visibility.ShowsText() && row.Key.Run != 0)
		out = append(out, t.all...)
	}
	return out
}

func (d *drilling) rows(keys iter.Seq2[eval.Key, error]) iter.Seq2[samples.Row, error] {
	return func(yield func(samples.Row, error) bool) {
		for k, err := range keys {
			var row samples.Row
			again := false
			if err == nil {
				err = d.ctx.Err()
			}
			if err == nil {
				row, again, err = d.row(k)
			}
			if again {
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// drilling goes through the predictions behind a figure for one person.
type drilling struct {
	ctx context.Context
	Samples
	ask     samples.Ask
	watches map[eval.DatasetName]*watch
	sealed  map[eval.Key]bool // pass 0 of the sealed ones that are in the list
	boards  map[eval.DatasetName]*curation.Board
}

func (d *drilling) watched(of eval.DatasetName) *watch {
	if d.watches[of] == nil {
		d.watches[of] = d.watch(d.ask.Who, of)
	}
	return d.watches[of]
}

// row is the row of a prediction. again tells that it stands in the list
// already: a sealed sample and run stands there once, as pass 0, since which
// of its passes a figure chose would tell.
func (d *drilling) row(k eval.Key) (row samples.Row, again bool, err error) {
	var run eval.Run
	of := d.ask.Dataset
	if k.Run != 0 {
		if run, err = d.Store.Runs().Run(k.Run); err != nil {
			return row, false, err
		}
		of = run.Config.Dataset
	}
	if waits, err := d.waits(of, k.Sample); waits || err != nil {
		return samples.Row{LeftOut: true}, false, err
	}
	view, err := d.watched(of).sample(k.Sample)
	if err != nil {
		return row, false, err
	}
	if view.HidesTruth() {
		if d.ask.Tells {
			return samples.Row{LeftOut: true}, false, nil
		}
		k.Pass = 0
		again, d.sealed[k] = d.sealed[k], true
		if again {
			return row, true, nil
		}
	}
	if k.Run == 0 {
		row, err = d.alone(view, of, k)
		return row, false, err
	}
	row, err = d.one(run, view, k)
	row.Dataset = of
	return shownRow(row), false, err
}

// waits reports whether a list tells what other experts say of a candidate
// before the person may be told: each may yet give a word on it, or change it,
// and that is no blind one once they were. A list stores no look, so they are
// told what they have looked at already.
func (d *drilling) waits(of eval.DatasetName, o eval.Ordinal) (bool, error) {
	if !d.ask.Experts {
		return false, nil
	}
	b := d.boards[of]
	if b == nil {
		var err error
		c := Curation{Store: d.Store, How: d.How}
		if b, err = c.before(d.ctx, of, d.ask.Who); err != nil {
			return false, err
		}
		if d.boards == nil {
			d.boards = make(map[eval.DatasetName]*curation.Board)
		}
		d.boards[of] = b
	}
	return !b.Told(o), nil
}

// alone is the row of a sample that is no run's.
func (d *drilling) alone(view *blind.View, of eval.DatasetName, k eval.Key) (samples.Row, error) {
	s, err := d.Store.Datasets().Sample(of, k.Sample)
	if err != nil {
		return samples.Row{}, err
	}
	row := samples.Row{Key: k, Dataset: of, Sample: s.ID, Visibility: blind.TruthHidden, Text: s.Question}
	if !view.HidesTruth() {
		row.Visibility, row.Truth = blind.AllVisible, s.Answer
	}
	return row, nil
}

func (d *drilling) one(run eval.Run, view *blind.View, k eval.Key) (samples.Row, error) {
	sample, err := d.Store.Datasets().Sample(run.Config.Dataset, k.Sample)
	if err != nil {
		return samples.Row{}, err
	}
	p, err := d.Store.Runs().Prediction(k)
	if errors.Is(err, eval.ErrNotFound) {
		return unasked(view, k, sample.ID), nil
	}
	if err != nil {
		return samples.Row{}, err
	}
	row, legible := predicted(&sample, &p), true
	if view.HidesTruth() {
		row, legible = veiled(view, &sample, &p)
	}
	if !legible {
		return row, nil
	}
	row.Said = said(view.Labels(k))
	if row.Failure == "" {
		if row.Reading, err = d.reading(run, &sample, &p, d.ask.Extractor); err != nil {
			return samples.Row{}, err
		}
	}
	if !view.HidesTruth() {
		row.Verdict, row.Why = verdict(&row)
	}
	return row, nil
}

// unasked is the row of a prediction that is not there yet.
func unasked(view *blind.View, k eval.Key, id eval.SampleID) samples.Row {
	if view.HidesTruth() {
		return samples.Row{Key: k, Sample: id, Visibility: blind.TruthHidden}
	}
	return samples.Row{Key: k, Sample: id, Visibility: blind.AllVisible, Verdict: samples.Unscored, Why: "not asked yet"}
}

// verdict is whether an open prediction is right by itself.
func verdict(row *samples.Row) (samples.Verdict, string) {
	switch {
	case row.Failure == "" && row.Truth == "":
		return samples.Unscored, "no ground truth"
	case row.Failure == "" && row.Reading.Status == eval.StatusUnset:
		return samples.Unscored, "not read by these rules"
	case row.Failure == "" && row.Reading.IsFound() && row.Reading.Choice == row.Truth:
		return samples.Right, ""
	}
	return samples.Wrong, ""
}

// Curation shows the store as the screen of curation reads it.
type Curation struct {
	Store  *store.Store
	How    curating.Settings
	Policy *blind.Policies
}

var _ curate.Source = Curation{}

// Datasets are all of the project.
func (c Curation) Datasets() ([]eval.Dataset, error) { return c.Store.Datasets().List() }

// Open reads the candidates of a dataset, and what everybody says of them. Who
// opens them counts as having been shown their answers: one key shows each. Those
// of samples on which an item is open to the person are withheld.
func (c Curation) Open(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (curate.Opening, error) {
	t, in, err := c.settled(d)
	if err != nil {
		return curate.Opening{}, err
	}
	policy, err := c.Policy.For(who, d)
	if err != nil {
		return curate.Opening{}, err
	}
	var told []annotate.Disclosure
	out := curate.Opening{Look: t.Look}
	if in != nil {
		out.Inspection = in.Name
	}
	out.Board, err = c.board(ctx, d, who, &t, in, func(s eval.Sample, f *curation.Finding) error {
		if out.Pool++; in != nil && f == nil {
			return nil
		}
		view, err := policy.Sample(s.Ordinal)
		if err != nil {
			return err
		}
		card := curate.Card{Sample: s, Finding: f, Withheld: view.HidesTruth() && (s.Answer != "" || s.Reference != "")}
		switch {
		case card.Withheld:
			card.Sample.Answer, card.Sample.Reference = "", ""
		case s.Answer != "" || s.Reference != "":
			told = append(told, annotate.OfSample(d, s.Ordinal, annotate.TruthContent))
		}
		out.Cards = append(out.Cards, card)
		return nil
	})
	if err != nil {
		return out, err
	}
	return out, c.Policy.Show(ctx, who, "curation of "+string(d), told)
}

// Curated counts what experts differ on, in every dataset of which they have
// said anything.
func (c Curation) Curated(ctx context.Context, who annotate.Annotator) ([]adjudicate.Curated, error) {
	all, err := curating.Curated(ctx, c.Store, "")
	if err != nil {
		return nil, err
	}
	out := make([]adjudicate.Curated, len(all))
	for i, d := range all {
		b, err := c.before(ctx, d, who)
		if err != nil {
			return nil, err
		}
		out[i] = adjudicate.Curated{Dataset: d, Candidates: len(b.Items()), Disputes: b.Disputes()}
	}
	return out, nil
}

// before is the candidates of a dataset before one expert.
func (c Curation) before(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (*curation.Board, error) {
	t, in, err := c.settled(d)
	if err != nil {
		return nil, err
	}
	return c.board(ctx, d, who, &t, in, func(eval.Sample, *curation.Finding) error { return nil })
}

// settled is how a dataset is curated, and whose candidates are.
func (c Curation) settled(d eval.DatasetName) (curating.Terms, *curation.Inspection, error) {
	t, err := c.How.Terms(d)
	if err != nil {
		return t, nil, err
	}
	in, err := t.Candidates(c.Store, d)
	return t, in, err
}

// board is the candidates of a dataset before one expert. It shows every sample
// of the pool on its way, with what models made of a candidate of an inspection.
func (c Curation) board(ctx context.Context, d eval.DatasetName, who annotate.Annotator, t *curating.Terms, in *curation.Inspection, show func(eval.Sample, *curation.Finding) error) (*curation.Board, error) {
	found := make(map[eval.Ordinal]*curation.Finding)
	if in != nil {
		for _, f := range in.Candidates() {
			found[f.Sample] = &f
		}
	}
	o := curation.Opening{Dataset: d, Expert: who, Panel: t.Panel, Targets: t.Targets}
	for s, err := range c.Store.Datasets().Samples(ctx, d) {
		if err != nil {
			return nil, err
		}
		f := found[s.Ordinal]
		if err := show(s, f); err != nil {
			return nil, err
		}
		if in == nil || f != nil {
			o.Items = append(o.Items, curation.Item{Sample: s.Ordinal, Axis: s.Taxonomy})
		}
	}
	for a, err := range c.Store.Curation().All(ctx, d) {
		if err != nil {
			return nil, err
		}
		o.Acts = append(o.Acts, a)
	}
	return curation.NewBoard(o)
}

// Picture reads the bytes of a picture.
func (c Curation) Picture(h eval.PictureHash) ([]byte, error) { return c.Store.Datasets().Picture(h) }

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
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/tui/adjudicate"
	"concord/tui/curate"
	"concord/tui/samples"
)

// RowsOfKeys yields the predictions of the keys, as read by an extractor. Each is
// recorded as shown before it is yielded.
func (s Samples) RowsOfKeys(ctx context.Context, a samples.Ask, keys iter.Seq2[eval.Key, error]) iter.Seq2[samples.Row, error] {
	d := &figureRows{ctx: ctx, Samples: s, ask: a, watch: s.newPolicyWatch(a.Who), sealed: make(map[eval.Key]bool), boards: make(map[eval.DatasetName]*curation.Board)}
	return recordRowsAsShown(d.yieldRows(keys), d.disclosuresOfRow, func(told []annotate.Disclosure) error {
		return s.Policy.RecordShown(ctx, a.Who, "samples of a report", told)
	})
}

// disclosuresOfRow is what a row tells. What experts say of a sample is listed to who was shown it before.
func (d *figureRows) disclosuresOfRow(row *samples.Row) []annotate.Disclosure {
	out := disclosuresOfRow(row.Dataset, row)
	_, judge := strings.CutPrefix(d.ask.Extractor, "rules:")
	if t := (disclosureList{of: row.Dataset, key: row.Key}); !row.LeftOut {
		t.addContent(annotate.JudgeContent, d.ask.Extractor != "" && !judge && row.Visibility.ShowsText() && row.Key.Run != 0)
		out = append(out, t.all...)
	}
	return out
}

func (d *figureRows) yieldRows(keys iter.Seq2[eval.Key, error]) iter.Seq2[samples.Row, error] {
	return func(yield func(samples.Row, error) bool) {
		for k, err := range keys {
			var row samples.Row
			again := false
			if err == nil {
				err = d.ctx.Err()
			}
			if err == nil {
				row, again, err = d.newRow(k)
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

// figureRows goes through the predictions behind a figure for one person.
type figureRows struct {
	ctx context.Context
	Samples
	ask    samples.Ask
	watch  *policyWatch
	sealed map[eval.Key]bool // pass 0 of the sealed ones that are in the list
	boards map[eval.DatasetName]*curation.Board
}

// newRow gives the row of a prediction. again tells that it stands in the list already: a sealed sample
// and run stands there once, as pass 0, since which of its passes a figure chose would tell.
func (d *figureRows) newRow(k eval.Key) (row samples.Row, again bool, err error) {
	var run eval.Run
	of := d.ask.Dataset
	if k.Run != 0 {
		if run, err = d.Store.Runs().Run(k.Run); err != nil {
			return row, false, err
		}
		of = run.Config.Dataset
	}
	if waits, err := d.hidesOtherExperts(of, k.Sample); waits || err != nil {
		return samples.Row{LeftOut: true}, false, err
	}
	view, err := d.watch.viewByFreshPolicy(of, k.Sample)
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
		row, err = d.newSampleRow(view, of, k)
		return row, false, err
	}
	row, err = d.newRunRow(run, view, k)
	row.Dataset = of
	return leaveOutBlindRow(row), false, err
}

// hidesOtherExperts reports whether a list tells what other experts say of a candidate before the person
// may be told: each may yet give a word on it, or change it, and that is no blind one once they
// were. A list stores no look, so they are told what they have looked at already.
func (d *figureRows) hidesOtherExperts(of eval.DatasetName, o eval.Ordinal) (bool, error) {
	if !d.ask.Experts {
		return false, nil
	}
	b, err := eval.GetOrRead(d.boards, of, func() (*curation.Board, error) {
		return Curation{Source: d.Source, How: d.How}.ReadBoard(d.ctx, of, d.ask.Who, func(*eval.Sample) {})
	})
	return err == nil && !b.MayShowWords(o), err
}

// newSampleRow gives the row of a sample that is no run's.
func (d *figureRows) newSampleRow(view *blind.View, of eval.DatasetName, k eval.Key) (samples.Row, error) {
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

func (d *figureRows) newRunRow(run eval.Run, view *blind.View, k eval.Key) (samples.Row, error) {
	sample, err := d.Store.Datasets().Sample(run.Config.Dataset, k.Sample)
	if err != nil {
		return samples.Row{}, err
	}
	p, err := d.Store.Runs().Prediction(k)
	if errors.Is(err, eval.ErrNotFound) {
		row := samples.Row{Key: k, Sample: sample.ID, Visibility: blind.TruthHidden}
		if !view.HidesTruth() {
			row.Visibility, row.Result, row.Why = blind.AllVisible, samples.Unscored, "not asked yet"
		}
		return row, nil
	}
	if err != nil {
		return samples.Row{}, err
	}
	row, legible := newOpenRow(&sample, &p), true
	if view.HidesTruth() {
		row, legible = newBlindRow(view, &sample, &p)
	}
	if !legible {
		return row, nil
	}
	row.Said = summarizeLabels(view.VisibleLabels(k))
	if row.Failure == "" {
		if row.Reading, err = d.readByExtractor(run, &sample, &p, d.ask.Extractor); err != nil {
			return samples.Row{}, err
		}
	}
	if !view.HidesTruth() {
		row.Result, row.Why = judgeOpenRow(&row)
	}
	return row, nil
}

// judgeOpenRow is whether an open prediction is right by itself.
func judgeOpenRow(row *samples.Row) (samples.RowResult, string) {
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
	facts.Source
	How    curating.Settings
	Policy *blind.Policies
}

// Open reads the candidates of a dataset, and what everybody says of them. Who opens them counts as shown
// their answers: one key shows each. Those of samples on which an item is open to the person are withheld.
func (c Curation) Open(ctx context.Context, d eval.DatasetName, who annotate.Annotator) (curate.Opening, error) {
	t, in, err := c.readTermsAndInspection(d)
	if err != nil {
		return curate.Opening{}, err
	}
	policy, err := c.Policy.NewPolicy(who, d)
	if err != nil {
		return curate.Opening{}, err
	}
	var told []annotate.Disclosure
	out := curate.Opening{Look: t.Look}
	if in != nil {
		out.Inspection = in.Name
	}
	out.Board, err = c.buildBoard(ctx, d, who, &t, in, func(s eval.Sample, f *curation.Finding) error {
		if out.Pool++; in != nil && f == nil {
			return nil
		}
		view, err := policy.ViewSample(s.Ordinal)
		if err != nil {
			return err
		}
		card := curate.Card{Sample: s, Finding: f, Withheld: view.HidesTruth() && s.HasTruth()}
		switch {
		case card.Withheld:
			card.Sample.Answer, card.Sample.Reference = "", ""
		case s.HasTruth():
			told = append(told, annotate.NewSampleDisclosure(d, s.Ordinal, annotate.TruthContent))
		}
		out.Cards = append(out.Cards, card)
		return nil
	})
	if err != nil {
		return out, err
	}
	return out, c.Policy.RecordShown(ctx, who, "curation of "+string(d), told)
}

// CountDisagreements counts what experts differ on, in every dataset of which they have said anything.
func (c Curation) CountDisagreements(ctx context.Context, who annotate.Annotator) ([]adjudicate.Curated, error) {
	all, err := curating.CuratedDatasets(ctx, c.Store)
	if err != nil {
		return nil, err
	}
	out := make([]adjudicate.Curated, len(all))
	for i, d := range all {
		b, err := c.ReadBoard(ctx, d, who, func(*eval.Sample) {})
		if err != nil {
			return nil, err
		}
		out[i] = adjudicate.Curated{Dataset: d, Candidates: len(b.Items()), Disputes: b.CountDisputes()}
	}
	return out, nil
}

// ReadBoard reads the candidates of a dataset before one expert, and shows every sample of the pool on its way.
func (c Curation) ReadBoard(ctx context.Context, d eval.DatasetName, who annotate.Annotator, show func(*eval.Sample)) (*curation.Board, error) {
	t, in, err := c.readTermsAndInspection(d)
	if err != nil {
		return nil, err
	}
	return c.buildBoard(ctx, d, who, &t, in, func(s eval.Sample, _ *curation.Finding) error {
		show(&s)
		return nil
	})
}

// readTermsAndInspection reads how a dataset is curated, and whose candidates are.
func (c Curation) readTermsAndInspection(d eval.DatasetName) (curating.Terms, *curation.Inspection, error) {
	t, err := c.How.TermsOfDataset(d)
	if err != nil {
		return t, nil, err
	}
	in, err := t.FindCandidateInspection(c.Store, d)
	return t, in, err
}

// buildBoard builds the candidates of a dataset before one expert. It shows every sample
// of the pool on its way, with what models made of a candidate of an inspection.
func (c Curation) buildBoard(ctx context.Context, d eval.DatasetName, who annotate.Annotator, t *curating.Terms, in *curation.Inspection, show func(eval.Sample, *curation.Finding) error) (*curation.Board, error) {
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
	var err error
	if o.Acts, err = eval.Collect(c.Store.Curation().All(ctx, d)); err != nil {
		return nil, err
	}
	return curation.NewBoard(o)
}

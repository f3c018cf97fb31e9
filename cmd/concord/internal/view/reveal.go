package view

import (
	"context"
	"errors"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/extract"
	"concord/store"
	"concord/tui/label"
	"concord/tui/samples"
	"concord/tui/vote"
)

// Reveal tells one person what machines made of an item, once the screen's session allows it:
// of a response the truth only when no other queue withholds it, and the model's name only when
// no open item of another queue shows the same answer; of a pair whose answers it holds and
// what judges voted on it, only when no other queue withholds it.
type Reveal struct {
	Store  *store.Store
	Policy *blind.Policies
	Who    annotate.Annotator
}

var (
	_ label.Revealer = Reveal{}
	_ vote.Revealer  = Reveal{}
)

// Reveal is what the machine made of a prediction: judges first, then the
// default rules, then the other rule sets that read a choice.
func (r Reveal) Reveal(ctx context.Context, name annotate.QueueName, k annotate.ItemKey, truth bool) (blind.Revealed, error) {
	out, of, err := r.readMachineReadings(k)
	if err != nil {
		return out, err
	}
	policy, err := r.Policy.NewPolicy(r.Who, of.dataset)
	if err != nil {
		return blind.Revealed{}, err
	}
	view, err := policy.ViewSample(k.Sample)
	if err != nil {
		return blind.Revealed{}, err
	}
	beside := view.WithoutQueue(name)
	if out.Truth != "" && (!truth || beside.HidesTruth()) {
		out.Truth, out.Withheld = "", true
	}
	if beside.VisibilityOf(k.Key, makeUnreadTest(&of.sample, &of.prediction)) == blind.TextHidden {
		out.Model = ""
	}
	return out, r.Policy.RecordShown(ctx, r.Who, "queue "+string(name), disclosuresOfReveal(of.dataset, &out))
}

func disclosuresOfReveal(d eval.DatasetName, r *blind.Revealed) []annotate.Disclosure {
	told := disclosureList{of: d, key: r.Item.Key}
	told.addContent(annotate.MachineContent, true)
	told.addContent(annotate.ModelContent, r.Model != "")
	told.addContent(annotate.JudgeContent, slices.ContainsFunc(r.Readings, func(m blind.MachineReading) bool { return m.Judge }))
	told.addTruth(r.Truth != "")
	return told.all
}

// ReadMachinesForTotals is what machines read in a prediction, for a count over a queue in which
// no item is told from another. It is recorded of nobody.
func (r Reveal) ReadMachinesForTotals(_ context.Context, _ annotate.QueueName, k annotate.ItemKey) (blind.Revealed, error) {
	out, _, err := r.readMachineReadings(k)
	out.Model, out.Truth = "", ""
	return out, err
}

type askedPrediction struct {
	dataset    eval.DatasetName
	sample     eval.Sample
	prediction eval.Prediction
}

func (r Reveal) readMachineReadings(k annotate.ItemKey) (out blind.Revealed, of askedPrediction, err error) {
	run, err := r.Store.Runs().Run(k.Run)
	if err != nil {
		return out, of, err
	}
	of.dataset = run.Config.Dataset
	if of.sample, err = r.Store.Datasets().Sample(of.dataset, k.Sample); err != nil {
		return out, of, err
	}
	if of.prediction, err = r.Store.Runs().Prediction(k.Key); err != nil {
		return out, of, err
	}
	s, p := &of.sample, &of.prediction
	out = blind.Revealed{Item: annotate.NewItemKey(p.Key), Model: run.Config.Model, Truth: p.ShownQuestion(s).Answer}
	judgments, err := r.Store.Judgments().OfPrediction(p.Key)
	if err != nil && !errors.Is(err, eval.ErrNotFound) {
		return out, of, err
	}
	isTried := func(judge string) bool { return eval.JudgeOfCandidate(judge) != "" }
	out.Readings = readByJudges(slices.DeleteFunc(judgments, func(j eval.Judgment) bool { return isTried(j.Judge) }))
	scores, err := r.Store.Scores().OfPrediction(p.Key)
	if err != nil {
		return out, of, err
	}
	scores = slices.DeleteFunc(scores, func(one eval.Score) bool { return isTried(one.Judge) })
	for i, one := range scores {
		if last := i == len(scores)-1 || scores[i+1].Judge != one.Judge; last {
			out.Readings = append(out.Readings, blind.MachineReading{
				Extractor: one.Judge, Judge: true, Score: one.Value, Extraction: eval.Extraction{Status: eval.Missing}, Raw: one.Raw,
			})
		}
	}
	for _, rules := range facts.RuleSetsFor(s.Kind) {
		if read := readByRules(rules, s, p); rules.Name() == extract.Default || read.Extraction.IsFound() {
			out.Readings = append(out.Readings, read)
		}
	}
	return out, of, nil
}

// RevealPair gives whose answers a pair holds, with the judges' votes that count.
func (r Reveal) RevealPair(ctx context.Context, name annotate.QueueName, k annotate.ItemKey) (out blind.RevealedPair, err error) {
	run, err := r.Store.Runs().Run(k.Run)
	if err != nil {
		return out, err
	}
	other, err := r.Store.Runs().Run(k.Against)
	if err != nil {
		return out, err
	}
	policy, err := r.Policy.NewPolicy(r.Who, run.Config.Dataset)
	if err != nil {
		return out, err
	}
	view, err := policy.ViewSample(k.Sample)
	if err != nil {
		return out, err
	}
	if !view.WithoutQueue(name).ShowsVotes() {
		return blind.RevealedPair{Withheld: true}, nil
	}
	out.Model, out.Against = run.Config.Model, other.Config.Model
	contests, err := r.Store.Votes().Comparisons(ctx)
	if err != nil {
		return out, err
	}
	for i := range contests {
		c := contests[i].Comparison
		if c.OtherRun(k.Run) != k.Against {
			continue
		}
		said, err := r.Store.Votes().OnSample(ctx, c, k.Sample)
		if err != nil {
			return out, err
		}
		out.Judges = append(out.Judges, eval.Select(said, func(p eval.Preference) bool { return p.HasReply() })...)
	}
	return out, r.Policy.RecordShown(ctx, r.Who, "queue "+string(name), disclosuresOfPair(run.Config.Dataset, k, len(out.Judges) > 0, false))
}

// disclosureList gathers what a person is about to be shown of a response, and of its sample.
type disclosureList struct {
	of  eval.DatasetName
	key eval.Key
	all []annotate.Disclosure
}

// addContent takes up a content of the response, where it is told.
func (t *disclosureList) addContent(c annotate.Content, told bool) {
	if told {
		t.all = append(t.all, annotate.Disclosure{Dataset: t.of, Key: t.key, Content: c})
	}
}

// addTruth takes up that of the sample, where it is told.
func (t *disclosureList) addTruth(told bool) {
	if told {
		t.all = append(t.all, annotate.NewSampleDisclosure(t.of, t.key.Sample, annotate.TruthContent))
	}
}

// batch is how many rows of a list are recorded together.
const batch = 50

// recordRowsAsShown yields the rows of a list once what they tell is recorded as shown. Rows are recorded
// some at a time: up to as many beyond the last one that is asked for count as shown, too.
func recordRowsAsShown[R any](rows iter.Seq2[R, error], tells func(*R) []annotate.Disclosure, record func([]annotate.Disclosure) error) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var waiting []R
		flush := func() bool {
			if err := record(eval.FlatMap(waiting, func(r R) []annotate.Disclosure { return tells(&r) })); err != nil {
				var none R
				yield(none, err)
				return false
			}
			for _, r := range waiting {
				if !yield(r, nil) {
					return false
				}
			}
			waiting = waiting[:0]
			return true
		}
		for r, err := range rows {
			if err != nil {
				if flush() {
					yield(r, err)
				}
				return
			}
			if waiting = append(waiting, r); len(waiting) == batch && !flush() {
				return
			}
		}
		flush()
	}
}

// disclosuresOfRow is what a row of a list tells: whose response it is, since the list
// names the run, and what else stands in it.
func disclosuresOfRow(of eval.DatasetName, row *samples.Row) []annotate.Disclosure {
	if row.LeftOut || row.Visibility == blind.TextHidden {
		return nil
	}
	t := disclosureList{of: of, key: row.Key}
	if row.Key.Run != 0 {
		t.addContent(annotate.ModelContent, true)
		t.addContent(annotate.MachineContent, row.Reading.Status != eval.StatusUnset || row.Result != samples.ResultUnset)
		t.addContent(annotate.OthersContent, row.Said != "")
	}
	t.addTruth(row.Truth != "" || row.Result == samples.Right || row.Result == samples.Wrong)
	return t.all
}

// disclosuresOfDetail is what the page of a sample tells of the responses to it. What the
// person said themself tells them nothing.
func disclosuresOfDetail(of eval.DatasetName, k eval.Key, who annotate.Annotator, d *samples.Detail) []annotate.Disclosure {
	t := disclosureList{of: of, key: k}
	t.addTruth(d.Truth != "")
	for i := range d.Passes {
		p := &d.Passes[i]
		if !p.Visibility.ShowsText() {
			continue
		}
		t.key.Pass = p.Pass
		t.addContent(annotate.ModelContent, true)
		t.addContent(annotate.MachineContent, len(p.Readings) > 0)
		t.addContent(annotate.JudgeContent, slices.ContainsFunc(p.Readings, func(r blind.MachineReading) bool { return r.Judge }))
		t.addContent(annotate.OthersContent, slices.ContainsFunc(p.Labels, func(l annotate.Label) bool { return l.Annotator != who }))
	}
	return t.all
}

// disclosuresOfPair tells whose responses a pair holds and, where they are shown, what judges
// and other people said of it.
func disclosuresOfPair(of eval.DatasetName, k annotate.ItemKey, judges, others bool) []annotate.Disclosure {
	contents := []annotate.Content{annotate.ModelContent}
	if judges {
		contents = append(contents, annotate.JudgeContent)
	}
	if others {
		contents = append(contents, annotate.OthersContent)
	}
	return k.NewDisclosures(of, contents...)
}

func pairItemKey(p eval.Pair) annotate.ItemKey {
	return annotate.ItemKey{Key: eval.Key{Run: p.First, Sample: p.Sample}, Against: p.Second}
}

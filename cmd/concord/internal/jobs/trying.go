package jobs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
)

type triedJob interface {
	singleCallJob
	config() *judgeConfig
	tally() *eval.Tally
	StoreUnderCandidate(context.Context) error
}

// listTriedTemplates lists the templates by which judges are asked about what people labelled.
func listTriedTemplates(ctx context.Context, l *Factory, q *annotate.Queue, labelled []alignment.Labelled) ([]string, error) {
	switch q.Rule.From {
	case annotate.FromPairs:
		return []string{prompt.Vote, prompt.VoteCaption, prompt.VoteDetections, prompt.VoteBoth}, nil
	case annotate.FromCriteria:
		return []string{prompt.Grade, prompt.GradeSample}, nil
	case annotate.FromUnset, annotate.FromUnparsable, annotate.FromDisagreements, annotate.FromAll, annotate.FromWrong:
	}
	survey, err := l.Datasets.DatasetFacts(ctx, q.Rule.Dataset)
	if err != nil {
		return nil, err
	}
	s, err := l.Store.Datasets().Sample(q.Rule.Dataset, labelled[0].Sample)
	if err != nil {
		return nil, err
	}
	read := survey.listJudgeTemplates()
	switch {
	case s.Kind == eval.KindOpen:
		read = slices.Insert(read, 0, prompt.Score)
	case slices.Contains(survey.listQuestionKinds(), eval.KindOpen):
		read = append(read, prompt.Score)
	}
	return read, nil
}

// newTriedJob makes the job that asks about what the factory's prompt is tried on.
func newTriedJob(ctx context.Context, l *Factory, q *annotate.Queue, o *TuningOrder) (triedJob, error) {
	of := make(map[eval.RunID]bool)
	for k := range l.trial.items {
		of[k.Run] = true
	}
	runs := slices.Sorted(maps.Keys(of))
	switch name, _, _ := strings.Cut(l.trial.template, "/"); name {
	case prompt.Score:
		return l.NewScoringJob(ctx, &ScoringOrder{Dataset: q.Rule.Dataset, Runs: runs, Judge: o.Judge, Failed: o.Failed})
	case prompt.Grade, prompt.GradeSample:
		return l.NewGradingJob(ctx, &GradingOrder{Dataset: q.Rule.Dataset, Runs: runs, Judge: o.Judge, Failed: o.Failed, Sample: name == prompt.GradeSample, Repeats: 1, Edge: -1, WithoutImages: true})
	case prompt.ExtractChoice, prompt.ReadYesNo:
		return newReadingJob(ctx, l, q.Rule.Dataset, o)
	default:
		return newTriedVotes(ctx, l, q, o, name)
	}
}

// newTriedVotes makes the job of the votes on pairs, which share an anchor as all drawn at random do.
func newTriedVotes(ctx context.Context, l *Factory, q *annotate.Queue, o *TuningOrder, template string) (*VotingJob, error) {
	v := &VotingJob{Order: VotingOrder{Dataset: q.Rule.Dataset, Judge: o.Judge, Failed: o.Failed, Criteria: q.Criteria, Edge: -1}}
	for _, i := range []eval.Input{eval.SeesImage, eval.SeesCaption, eval.SeesDetections, eval.SeesBoth} {
		if prompt.VoteTemplate(i) == template {
			v.Order.Input = i
		}
	}
	v.Order.WithoutImages = v.Order.Input == eval.SeesImage
	met := make(map[eval.RunID]int)
	for k := range l.trial.items {
		met[k.Run]++
		met[k.Against]++
	}
	for _, id := range slices.Sorted(maps.Keys(met)) {
		run, err := l.Store.Runs().Run(id)
		if err != nil {
			return nil, err
		}
		if v.Anchor.ID == 0 && met[id] == len(l.trial.items) && (id == q.Rule.Anchor || q.Rule.Anchor == 0) {
			v.Anchor = run
		} else {
			v.Models = append(v.Models, run)
		}
	}
	if v.Anchor.ID == 0 {
		return nil, fmt.Errorf("the pairs of queue %s share no anchor: judges are tried on pairs that do", q.Name)
	}
	return v, v.prepareVotes(ctx, l)
}

// readingJob has a judge read answers that people have read.
type readingJob struct {
	singleCalls[eval.Key, eval.JudgeQuestion]
	runs map[eval.RunID]eval.Run
}

func newReadingJob(ctx context.Context, l *Factory, on eval.DatasetName, o *TuningOrder) (*readingJob, error) {
	survey, err := l.Datasets.DatasetFacts(ctx, on)
	if err != nil {
		return nil, err
	}
	t := &readingJob{runs: make(map[eval.RunID]eval.Run)}
	t.Factory, t.hints = l, l.Conf.MaxJudgeHints()
	if t.setup, t.set, err = l.newReadingSetup(o.Judge, "", survey.listJudgeTemplates()); err == nil {
		err = t.useTriedPrompt()
	}
	if err != nil {
		return nil, err
	}
	t.missing, t.title, t.unit, t.role, t.tokens = make(map[string]int), "extractions of", "extraction", "judge", scoreTokens
	t.prepare, t.question, t.about = t.newReader, t.newReadingQuestion, keyOfResponse
	t.job = func() eval.Job { return eval.Job{Dataset: on, Runs: runIDs(t.comparedRuns())} }
	standing := make(map[eval.Key]eval.Judgment)
	items := slices.SortedFunc(maps.Keys(l.trial.items), annotate.ItemKey.Compare)
	for _, k := range items {
		if _, known := t.runs[k.Run]; known {
			continue
		}
		if t.runs[k.Run], err = l.Store.Runs().Run(k.Run); err != nil {
			return nil, err
		}
		some, err := readNewestFacts(&t.singleCalls, "Extractions", fmt.Sprintf("run %d", k.Run), l.Store.Judgments().Calls(ctx, k.Run), func(f *eval.Judgment) callFact[eval.Key] {
			return callFact[eval.Key]{f.Key, f.Judge, f.Setup, f.Usage, f.Failure}
		}, func(f *eval.Judgment) func(context.Context) error {
			if t.isOutsideTrial(f.Key) {
				return nil
			}
			f.Judge, f.Setup = t.recordedJudgeName()
			f.Usage, f.Latency = eval.Usage{}, 0 // it was paid for once
			return func(ctx context.Context) error { return l.Store.Judgments().RecordJudgment(ctx, *f, false) }
		})
		if err != nil {
			return nil, err
		}
		maps.Copy(standing, some)
	}
	for _, k := range items {
		one, known := standing[k.Key]
		t.countOrQueueUnit(k.Key, !known || !one.HasReply() && o.Failed, known && !one.HasReply(), one.Extraction.Status != eval.Missing)
	}
	return t, nil
}

func (t *readingJob) comparedRuns() []eval.Run {
	return slices.SortedFunc(maps.Values(t.runs), func(a, b eval.Run) int { return cmp.Compare(a.ID, b.ID) })
}

// newReadingQuestion gives all that a judge is shown about an answer.
func (t *readingJob) newReadingQuestion(k eval.Key) (q eval.JudgeQuestion, err error) {
	q.Run = t.runs[k.Run]
	if q.Sample, err = t.Factory.Store.Datasets().Sample(q.Run.Config.Dataset, k.Sample); err != nil {
		return q, err
	}
	q.Prediction, err = t.Factory.Store.Runs().Prediction(k)
	q.Shown = q.Prediction.ShownQuestion(&q.Sample)
	return q, err
}

func (t *readingJob) newReader(_ context.Context, c eval.Chatter) (modelCaller[eval.JudgeQuestion], error) {
	j, err := judge.New(judge.Options{Setup: t.setup, Chatter: c, Set: t.set, Hints: t.hints})
	of := func(q *eval.JudgeQuestion) *eval.Sample { return &q.Sample }
	return newModelCaller(j.BuildChat, of, func(a engine.SingleCalls[eval.JudgeQuestion]) (*engine.Runner, error) {
		return engine.NewReadingRunner(a, j, t.Factory.Store.Judgments())
	}), err
}

// printSummary is that of what tries the prompt.
func (t *readingJob) printSummary(eval.Progress, error) error { return nil }

// maxExample is how many bytes a response has at most that is an example, where there are others.
const maxExample = 1200

// fillPromptExamples fills the slots of the prompt with items of the development part, and what people say of
// them: at most one of a sample, of each class in turn, and otherwise at random by the queue's seed.
func (t *TuningJob) fillPromptExamples(ctx context.Context, l *Factory, q *annotate.Queue) error {
	const most = 50
	want := prompt.CountWantedExamples(t.order.Prompt)
	switch {
	case want > most || want == 0 && strings.Contains(t.order.Prompt, "{{examples"):
		return fmt.Errorf("the prompt asks for %d examples: want {{examples 1}} to {{examples %d}}", want, most)
	case want == 0:
		return nil
	}
	labelled, err := alignment.ListLabelledItems(ctx, facts.NewSource(l.Store), alignment.Options{Queue: q.Name, Part: alignment.Development, Examples: true})
	if err != nil {
		return err
	}
	var short, long []prompt.Example
	seen := make(map[eval.Ordinal]bool)
	for _, i := range shuffleByClass(labelled, rand.New(rand.NewPCG(q.Rule.Seed, uint64(want)))) {
		if len(short) == want {
			break
		}
		if seen[i.Sample] || i.Class == alignment.NeitherBetter { // a judge is to say why
			continue
		}
		seen[i.Sample] = true
		e, err := newPromptExample(l, q, &i)
		if err != nil {
			return err
		}
		if len(e.Response)+len(e.Second) <= maxExample {
			short = append(short, e)
		} else {
			long = append(long, e)
		}
	}
	out := slices.Concat(short, long)
	out = out[:min(want, len(out))]
	_, lang, _ := strings.Cut(t.order.Template, "/")
	t.order.Prompt, t.drawn = prompt.FillExampleSlots(t.order.Prompt, lang, out), len(out)
	return nil
}

// newPromptExample makes an example of what people agree on.
func newPromptExample(l *Factory, q *annotate.Queue, i *alignment.Labelled) (e prompt.Example, err error) {
	s, err := l.Store.Datasets().Sample(q.Rule.Dataset, i.Sample)
	if err != nil {
		return e, err
	}
	p, err := l.Store.Runs().Prediction(i.Item.Key)
	if err != nil {
		return e, err
	}
	e = prompt.Example{Sample: i.Sample, Question: s.Question, Options: p.ShownQuestion(&s).Options, Response: p.Text, Class: i.Class}
	switch {
	case i.Item.Against > 0:
		other, _ := i.Item.SecondKey()
		p, err = l.Store.Runs().Prediction(other)
		e.Second = p.Text
	case i.Criterion != "":
		set, serr := l.Store.Criteria().Set(q.Rule.Dataset, i.Sample)
		cs := set.Criteria()
		for n := range cs {
			if criteria.CriterionName(cs, n) == i.Criterion {
				e.Criterion = cs[n].Text
			}
		}
		err = serr
	case s.Kind == eval.KindOpen:
		e.Reference = s.Reference
	}
	return e, err
}

// shuffleByClass gives items in a random order in which all classes have their turn.
func shuffleByClass(all []alignment.Labelled, rng *rand.Rand) (out []alignment.Labelled) {
	by := make(map[eval.Choice][]alignment.Labelled)
	for _, i := range rng.Perm(len(all)) {
		by[all[i].Class] = append(by[all[i].Class], all[i])
	}
	classes := slices.Sorted(maps.Keys(by))
	for turn := 0; len(out) < len(all); turn++ {
		for _, c := range classes {
			if turn < len(by[c]) {
				out = append(out, by[c][turn])
			}
		}
	}
	return out
}

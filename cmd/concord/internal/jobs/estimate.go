package jobs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/prompt"
	"concord/store"
	"concord/tui/home"
)

// estimateFrom is how many questions an estimate is made from at most, spread
// over the dataset: their prompts are filled in and their pictures measured.
const estimateFrom = 300

// EstimateRun estimates what is left of a run with this configuration, before it is made or taken up again.
func (l *Factory) EstimateRun(ctx context.Context, c eval.Config) (eval.Estimate, error) {
	d, err := l.Store.Datasets().Dataset(c.Dataset)
	if err != nil {
		return eval.Estimate{}, err
	}
	m, err := l.Conf.Model(c.Model)
	if err != nil && c.Settings.Endpoint != "" { // else workers know whom they ask
		return eval.Estimate{}, err
	}
	w := eval.Workload{
		Strategy: c.Strategy, AllPasses: c.AllPasses, Total: d.Samples, Edge: c.Settings.Edge,
		PictureTokens: m.PictureTokens, Price: m.Price,
		Judges: eval.Map(c.Settings.Judges, func(j eval.JudgeSetup) eval.JudgeLoad {
			return eval.JudgeLoad{Judge: j.Judge, Price: l.Models.priceOf(j.Judge)}
		}),
	}
	if run, diffs, err := l.runs.findMostSimilarRun(ctx, c); err == nil && len(diffs) == 0 {
		counts, err := l.Store.Runs().Counts(run.ID)
		if err != nil {
			return eval.Estimate{}, err
		}
		w.Total = max(d.Samples-counts.Questions, 0)
	}
	if w.Total == 0 {
		return eval.Estimate{Priced: true}, nil
	}
	if err := l.addWorkload(&w, c, d.Samples); err != nil {
		return eval.Estimate{}, err
	}
	e := w.Estimate()
	if c.Modality == eval.WithImage || c.Modality == eval.WithoutImages {
		s, err := l.Datasets.DatasetFacts(ctx, c.Dataset)
		if err != nil {
			return e, err
		}
		if e.Lacking = s.Absent; s.Pictured == 0 {
			e.Lacking = d.Samples
		}
	}
	return e, nil
}

// addWorkload adds questions from all over the dataset to a workload.
func (l *Factory) addWorkload(w *eval.Workload, c eval.Config, samples int) error {
	set, err := l.Prompts.LoadTemplates("")
	if err == nil && set.RequireUnchanged(c.Settings.Prompts) != nil {
		set, err = l.Prompts.loadByRefs(c.Settings.Prompts) // an earlier run's
	}
	if err != nil {
		return err
	}
	asker, err := prompt.NewAsker(nil, set, c.Settings)
	if err != nil {
		return err
	}
	run := eval.Run{Config: c}
	return addSampledCalls(w, samples, func(o int) (*eval.Sample, eval.Chat, error) {
		s, err := l.Store.Datasets().Sample(c.Dataset, eval.Ordinal(o))
		if err != nil {
			return nil, eval.Chat{}, err
		}
		chat, err := asker.BuildChat(eval.Request{Run: run, Sample: s, Shown: s.ShowInPass(0), Pictures: l.Store.Datasets().Picture})
		if isSampleFailure(err) {
			chat, err = eval.Chat{Turns: []eval.Turn{{Role: eval.User, Text: s.Question}}}, nil // it will not be asked
		}
		return &s, chat, err
	})
}

// addSampledCalls adds calls from all over n to a workload; chat gives what one says first, and of which sample.
func addSampledCalls(w *eval.Workload, n int, chat func(i int) (*eval.Sample, eval.Chat, error)) error {
	step := max(n/estimateFrom, 1)
	for i := 0; i < n; i += step {
		s, chat, err := chat(i)
		if isSampleFailure(err) {
			chat = eval.Chat{} // it will not be asked
		} else if err != nil {
			return err
		}
		w.AddQuestion(eval.EstimateSampleLoad(s, chat, eval.Map(chat.Pictures, func(p []byte) eval.PictureSize {
			width, height, _ := prompt.ReadPictureSize(p)
			return eval.PictureSize{Width: width, Height: height}
		})))
	}
	return nil
}

// PrintEstimate prints an estimate alone.
func PrintEstimate(a *project.Project, e eval.Estimate) error {
	if !a.JSON {
		_, err := fmt.Fprintf(a.Out, "%s\n", FormatEstimateLine(e))
		if e.Lacking > 0 {
			_, _ = fmt.Fprintf(a.Out, "  %s an image that the question has or names\n", cli.FormatCountOf(e.Lacking, "call lacks", "calls lack"))
		}
		for _, line := range e.Assumed.DescribeLines() {
			_, _ = fmt.Fprintf(a.Out, "  %s\n", line)
		}
		return err
	}
	total := e.TotalCost()
	var cost any
	if e.Priced {
		cost = map[string]float64{"low": total.Low, "high": total.High}
	}
	between := func(b eval.Range) map[string]int {
		return map[string]int{"low": roundToInt(b.Low), "high": roundToInt(b.High)}
	}
	return a.WriteJSON(map[string]any{
		"questions": e.Questions, "calls": between(e.Calls), "judge_calls": between(e.JudgeCalls),
		"prompt_tokens":     between(e.Prompt.Plus(e.JudgePrompt)),
		"completion_tokens": between(e.Completion.Plus(e.JudgeCompletion)),
		"cost":              cost, "assumed": e.Assumed.DescribeLines(), "lacking_images": e.Lacking,
	})
}

func roundToInt(f float64) int { return int(math.Round(f)) }

// FormatEstimateLine estimates an estimate in a line.
func FormatEstimateLine(e eval.Estimate) string {
	if e.Questions == 0 {
		return "nothing is left to ask"
	}
	s := fmt.Sprintf("about %s calls", formatRange(e.Calls))
	s += eval.Either(e.JudgeCalls.High > 0, fmt.Sprintf(" and %s of judges", formatRange(e.JudgeCalls)), "")
	s += fmt.Sprintf(", %s tokens in, %s out", formatRange(e.Prompt.Plus(e.JudgePrompt)), formatRange(e.Completion.Plus(e.JudgeCompletion)))
	if !e.Priced {
		return s + "; the cost is not known (set price_prompt and price_completion in concord.toml)"
	}
	t := e.TotalCost()
	if t.High == 0 {
		return s
	}
	low, high := fmt.Sprintf("%.3g", t.Low), fmt.Sprintf("%.3g", t.High)
	return s + ", cost " + eval.Either(low == high, high, low+" to "+high)
}

func formatRange(b eval.Range) string {
	low, high := roundToInt(b.Low), roundToInt(b.High)
	return eval.Either(low == high, fmt.Sprint(high), fmt.Sprintf("%d to %d", low, high))
}

// NewHomeEstimate gives an estimate as the form shows it.
func NewHomeEstimate(e eval.Estimate) home.Estimate {
	t := e.TotalCost()
	return home.Estimate{
		CallsLow: roundToInt(e.Calls.Low), CallsHigh: roundToInt(e.Calls.High),
		JudgeCallsLow: roundToInt(e.JudgeCalls.Low), JudgeCallsHigh: roundToInt(e.JudgeCalls.High),
		PromptTokens:     roundToInt(e.Prompt.Plus(e.JudgePrompt).High),
		CompletionTokens: roundToInt(e.Completion.Plus(e.JudgeCompletion).High),
		CostLow:          t.Low, CostHigh: t.High, Priced: e.Priced && t.High > 0, Assumed: e.Assumed.DescribeLines(),
	}
}

// TimeAtLimit is how long so many calls take at an endpoint's limits; 0 when it has none.
func TimeAtLimit(calls, perMinute int) time.Duration {
	if perMinute <= 0 {
		return 0
	}
	return time.Duration(calls) * time.Minute / time.Duration(perMinute)
}

// datasetFacts holds what a run over a dataset depends on.
type datasetFacts struct {
	dataset  eval.Dataset
	kinds    map[eval.Kind]int
	Pictured int // samples that have or name an image
	Absent   int // of those, samples with an image that the project does not hold
}

// DatasetCache looks through each dataset once, and again when it has changed.
type DatasetCache struct {
	Store *store.Store
	mu    sync.Mutex
	facts map[eval.DatasetName]datasetFacts // of those that were looked through
}

// DatasetFacts gives the facts of a dataset, or an error that names the datasets there are.
func (ds *DatasetCache) DatasetFacts(ctx context.Context, name eval.DatasetName) (datasetFacts, error) {
	d, err := ds.Store.Datasets().Dataset(name)
	if err != nil {
		if errors.Is(err, eval.ErrNotFound) {
			err = fmt.Errorf("%w (%s)", err, ds.describeKnownDatasets())
		}
		return datasetFacts{}, err
	}
	if !d.Complete {
		return datasetFacts{}, fmt.Errorf("dataset %s was not imported to the end: the same import continues it", name)
	}
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if s, ok := ds.facts[name]; ok && s.dataset == d {
		return s, nil
	}
	s := datasetFacts{dataset: d, kinds: make(map[eval.Kind]int)}
	for sample, err := range ds.Store.Datasets().Samples(ctx, name) {
		if err != nil {
			return s, err
		}
		s.kinds[sample.Kind]++
		n := sample.CountImages()
		if n > 0 {
			s.Pictured++
		}
		if sample.CountHeldImages() < n {
			s.Absent++
		}
	}
	ds.facts[name] = s
	return s, nil
}

// describeKnownDatasets lists the datasets of the project, for an error about one that is missing.
func (ds *DatasetCache) describeKnownDatasets() string {
	all, err := ds.Store.Datasets().List()
	if err != nil || len(all) == 0 {
		return "the project holds no dataset; see: concord import dataset --help"
	}
	names := eval.Map(all, func(d eval.Dataset) string { return string(d.Name) })
	return "the project holds: " + cli.JoinFirstNames(names) + "; see: concord import dataset --help"
}

// requireImagesIfAsked refuses a run with images on a dataset without any, and says of others what is asked without.
func (s *datasetFacts) requireImagesIfAsked(m eval.Modality) (warning string, err error) {
	name, samples := s.dataset.Name, s.dataset.Samples
	const cure = "import the dataset with its images, ask with --modality text, or insist with --without-images"
	lacking := fmt.Sprintf("%d of %s", s.Absent, cli.FormatCount(samples, "question"))
	switch m {
	case eval.WithoutImages:
		if s.Pictured == 0 {
			lacking = "all questions"
		}
		return fmt.Sprintf("dataset %s: %s are asked without images that they have or name: the run counts as modality %s", name, lacking, m), nil
	case eval.WithImage, eval.GreyImage:
	case eval.ModalityUnset, eval.TextOnly, eval.BaseText:
		return "", nil
	}
	switch {
	case s.Absent > 0 && s.Absent == samples:
		return "", fmt.Errorf("dataset %s: the project holds the images of none of its %s: %s", name, cli.FormatCount(samples, "question"), cure)
	case s.Absent > 0:
		return fmt.Sprintf("dataset %s: %s cannot be asked, their images are not in the project: %s", name, lacking, cure), nil
	case s.Pictured == 0 && samples > 0 && m == eval.WithImage:
		return "", fmt.Errorf("dataset %s has no images, so no question can be asked with one: %s", name, cure)
	}
	return "", nil
}

// listQuestionKinds are the kinds of a dataset's samples, in their order.
func (s *datasetFacts) listQuestionKinds() []eval.Kind {
	return eval.Select([]eval.Kind{eval.KindChoice, eval.KindYesNo, eval.KindOpen}, func(k eval.Kind) bool { return s.kinds[k] > 0 })
}

// listJudgeTemplates are those by which a judge reads its answers.
func (s *datasetFacts) listJudgeTemplates() []string {
	var out []string
	for _, k := range s.listQuestionKinds() {
		if n := prompt.JudgeTemplate(k); n != "" {
			out = eval.AppendUnique(out, n)
		}
	}
	return out
}

// newDatasetChoice describes a dataset for the form of a run.
func (ds *DatasetCache) newDatasetChoice(ctx context.Context, d eval.Dataset) (home.DatasetChoice, error) {
	c := home.DatasetChoice{Name: d.Name, Samples: d.Samples}
	if !d.Complete {
		c.Why = "its import has not finished: the same import continues it"
		return c, nil
	}
	v, err := ds.DatasetFacts(ctx, d.Name)
	if err != nil {
		return c, err
	}
	c.Pictures, c.Kinds = v.Pictured, v.listQuestionKinds()
	return c, nil
}

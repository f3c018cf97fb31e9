package jobs

import (
	"context"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
	"concord/store"
)

// Why a score is not asked for, as scripts read it.
const (
	notOpen     = "not_open"
	NoReference = "no_reference"
)

// ScoringOrder is what a judge is to score, as somebody asks for it.
type ScoringOrder struct {
	Dataset eval.DatasetName
	Models  []string     // none: all that answered
	Runs    []eval.RunID // none: all of these models
	Judge   string
	Failed  bool // what failed is asked again
}

// scoringJob is an order made out.
type scoringJob struct {
	singleCalls[eval.Key, eval.ScoreQuestion]
	order ScoringOrder
	runs  []eval.Run // whose answers are scored
}

// scoreTokens is a digit, and what a server puts around it.
const scoreTokens = 4

// NewScoringJob makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) NewScoringJob(ctx context.Context, o *ScoringOrder) (*scoringJob, error) {
	survey, err := l.Datasets.DatasetFacts(ctx, o.Dataset)
	if err != nil {
		return nil, err
	}
	s := &scoringJob{order: *o}
	if s.judgeConfig, err = l.newJudgeConfig(o.Judge, prompt.Score); err == nil {
		err = s.useTriedPrompt()
	}
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", o.Judge, err)
	}
	s.missing, s.title, s.unit, s.role, s.tokens = make(map[string]int), "scores of", "score", "judge", scoreTokens
	s.prepare, s.question, s.about = s.newScorer, s.newScoreQuestion, keyOfResponse
	s.job = func() eval.Job {
		return eval.Job{Dataset: o.Dataset, Runs: runIDs(s.runs), LeftOut: toLeftOutList(s.missing)}
	}
	if s.runs, err = l.runs.listRunsOfModels(o.Dataset, o.Models, o.Runs); err != nil {
		return nil, err
	}
	why := make([]string, 0, survey.dataset.Samples) // an answer to a sample cannot be scored
	scorable := false
	for one, err := range l.Store.Datasets().Samples(ctx, o.Dataset) {
		reason := ""
		switch {
		case err != nil:
			return nil, err
		case one.Kind != eval.KindOpen:
			reason = notOpen
		case !annotate.IsScorable(&one):
			reason = NoReference
		default:
			scorable = true
		}
		why = append(why, reason)
	}
	if !scorable {
		return nil, fmt.Errorf("dataset %s has no open question with a reference: there is nothing to score an answer by", o.Dataset)
	}
	return s, eval.Each(s.runs, func(r eval.Run) error { return s.sortDueAnswers(ctx, r.ID, why) })
}

// sortDueAnswers sorts the answers of a run into what stands, what is due and what cannot be asked.
func (s *scoringJob) sortDueAnswers(ctx context.Context, run eval.RunID, why []string) error {
	standing, err := readNewestFacts(&s.singleCalls, "Scores", fmt.Sprintf("run %d", run), s.Factory.Store.Scores().Calls(ctx, run), func(f *eval.Score) callFact[eval.Key] {
		return callFact[eval.Key]{f.Key, f.Judge, f.Setup, f.Usage, f.Failure}
	}, func(f *eval.Score) func(context.Context) error {
		if s.isOutsideTrial(f.Key) {
			return nil
		}
		f.Judge, f.Setup = s.recordedJudgeName()
		f.Usage, f.Latency = eval.Usage{}, 0
		return func(ctx context.Context) error { return s.Factory.Store.Scores().RecordScore(ctx, *f) }
	})
	if err != nil {
		return err
	}
	return s.eachAskableAnswer(ctx, run, why, func(k eval.Key) {
		one, known := standing[k]
		s.countOrQueueUnit(k, !known || !one.HasReply() && s.order.Failed, !one.HasReply(), one.Value > 0)
	})
}

func (s *scoringJob) comparedRuns() []eval.Run { return s.runs }

func runIDs(all []eval.Run) []eval.RunID {
	return eval.Map(all, func(r eval.Run) eval.RunID { return r.ID })
}

// newScoreQuestion gives all that a judge is shown about an answer.
func (s *scoringJob) newScoreQuestion(k eval.Key) (q eval.ScoreQuestion, err error) {
	if q.Sample, err = s.Factory.Store.Datasets().Sample(s.order.Dataset, k.Sample); err != nil {
		return q, err
	}
	q.Prediction, err = s.Factory.Store.Runs().Prediction(k)
	return q, err
}

func (s *scoringJob) newScorer(_ context.Context, c eval.Chatter) (modelCaller[eval.ScoreQuestion], error) {
	scorer, err := judge.NewScorer(s.judgeDependencies(c))
	of := func(q *eval.ScoreQuestion) *eval.Sample { return &q.Sample }
	return newModelCaller(scorer.BuildChat, of, func(a engine.SingleCalls[eval.ScoreQuestion]) (*engine.Runner, error) {
		return engine.NewScoreRunner(a, scorer, s.Factory.Store.Scores().RecordScore)
	}), err
}

// runFinder finds stored runs, and sums up what became of them.
type runFinder struct {
	Store *store.Store
}

// findMostSimilarRun gives the run of the same name (dataset, model, strategy, modality,
// shots) with the fewest differences, the newest of several, and what they
// are. Without a run of that name it gives eval.ErrNotFound.
func (rs *runFinder) findMostSimilarRun(ctx context.Context, c eval.Config) (eval.Run, []eval.Difference, error) {
	similar, err := rs.Store.Runs().SimilarRuns(ctx, c)
	if err != nil {
		return eval.Run{}, nil, err
	}
	if len(similar) == 0 {
		return eval.Run{}, nil, eval.ErrNotFound
	}
	var best eval.Run
	var diffs []eval.Difference
	for n, r := range slices.Backward(similar) {
		if d := c.DiffFromEarlier(&r.Config); n == len(similar)-1 || len(d) < len(diffs) {
			best, diffs = r, d
		}
	}
	return best, diffs, nil
}

// findRunOfModel finds the one run of a model on a dataset; ids choose among several.
func (rs *runFinder) findRunOfModel(d eval.DatasetName, model string, ids []eval.RunID) (eval.Run, error) {
	all, err := rs.Store.Runs().List()
	if err != nil {
		return eval.Run{}, err
	}
	answering := eval.Select(all, func(r eval.Run) bool { return r.Config.Dataset == d })
	models := slices.Sorted(slices.Values(eval.Map(answering, func(r eval.Run) string { return r.Config.Model })))
	found := eval.RunsOfModel(all, d, model, ids)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return eval.Run{}, cli.NewUsageError(fmt.Errorf("model %s has %d runs on dataset %s (%d and %d among them): name one with --run",
			model, len(found), d, found[0].ID, found[1].ID))
	case len(models) == 0:
		return eval.Run{}, eval.NewNotFoundError("dataset %s has no answers yet (see: concord eval --help, concord import predictions --help)", d)
	}
	return eval.Run{}, eval.NewNotFoundError("no run of model %s on dataset %s (models with answers: %s)", model, d, cli.JoinFirstNames(slices.Compact(models)))
}

func (rs *runFinder) listRunsOfModels(d eval.DatasetName, models []string, only []eval.RunID) ([]eval.Run, error) {
	numbers := eval.Map(only, func(r eval.RunID) uint { return uint(r) })
	models = slices.Compact(slices.Sorted(slices.Values(models)))
	if len(models) == 0 {
		models = []string{""} // whichever
	}
	var out []eval.Run
	for _, model := range models {
		found, err := facts.MatchRuns(rs.Store, string(d), model, numbers)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// listAnswerProblems says of every sample what is wrong with a run's answer: none, or one
// whose call failed; "" for one that there is.
func (rs *runFinder) listAnswerProblems(ctx context.Context, id eval.RunID, samples int, none, failed string) ([]string, error) {
	out := slices.Repeat([]string{none}, samples)
	err := eval.ForEachRead(rs.Store.Runs().Predictions(ctx, id, eval.Key{}), func(p eval.Prediction) {
		if p.Pass != 0 || int(p.Sample) >= len(out) {
			return
		}
		if out[p.Sample] = ""; p.Failure != nil {
			out[p.Sample] = failed
		}
	})
	return out, err
}

func keyOfResponse(k eval.Key) (annotate.ItemKey, string) { return annotate.NewItemKey(k), "" }

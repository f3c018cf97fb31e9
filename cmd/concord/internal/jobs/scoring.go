package jobs

import (
	"cmp"
	"context"
	"fmt"
	"iter"
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

// scoring is an order made out.
type scoring struct {
	judgeConfig
	order ScoringOrder
	runs  []scoredRun
	eval.Tally
	due     []eval.Key
	missing map[string]int
}

// scoredRun is a run whose answers are scored.
type scoredRun struct {
	eval.Run
	due int
}

// Scoring makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) Scoring(ctx context.Context, o *ScoringOrder) (*scoring, error) {
	survey, err := l.Datasets.Facts(ctx, o.Dataset)
	if err != nil {
		return nil, err
	}
	s := &scoring{order: *o, missing: make(map[string]int)}
	if s.judgeConfig, err = l.cast(o.Judge, prompt.Score); err != nil {
		return nil, fmt.Errorf("judge %s: %w", o.Judge, err)
	}
	if s.runs, err = l.runs.answered(o); err != nil {
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
		case !annotate.Scorable(&one):
			reason = NoReference
		default:
			scorable = true
		}
		why = append(why, reason)
	}
	if !scorable {
		return nil, fmt.Errorf("dataset %s has no open question with a reference: there is nothing to score an answer by", o.Dataset)
	}
	for i := range s.runs {
		if err := s.take(ctx, &s.runs[i], why); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// take sorts the answers of a run into what stands, what is due and what
// cannot be asked.
func (s *scoring) take(ctx context.Context, r *scoredRun, why []string) error {
	standing, err := s.standing(ctx, r.ID)
	if err != nil {
		return err
	}
	lacking := make([]string, len(why))
	for i := range why {
		lacking[i] = cmp.Or(why[i], NoAnswer)
	}
	for p, err := range s.Factory.Store.Runs().Predictions(ctx, r.ID, eval.Key{}) {
		switch {
		case err != nil:
			return err
		case p.Pass != 0 || int(p.Sample) >= len(why) || why[p.Sample] != "":
		case p.Failure != nil:
			lacking[p.Sample] = failedAnswer
		default:
			lacking[p.Sample] = ""
		}
	}
	for o, reason := range lacking {
		if reason != "" {
			s.missing[reason]++
			continue
		}
		s.Wanted++
		k := eval.Key{Run: r.ID, Sample: eval.Ordinal(o)}
		switch one, known := standing[k]; {
		case !known || !one.Reads() && s.order.Failed:
			s.due = append(s.due, k)
			r.due++
		case !one.Reads():
			s.Failed++
		case one.Value == 0:
			s.Unparsed++
		default:
			s.Stored++
		}
	}
	return nil
}

// standing reads what the judge has said of a run's answers: a score, a reply
// without one, or a failure of the sample. Scores that were given with other
// settings cannot be gone on with.
func (s *scoring) standing(ctx context.Context, id eval.RunID) (map[eval.Key]eval.Score, error) {
	hash, _ := judge.Hash(s.setup)
	out := make(map[eval.Key]eval.Score)
	for one, err := range s.Factory.Store.Scores().Calls(ctx, id) {
		switch {
		case err != nil:
			return nil, err
		case one.Judge != s.order.Judge:
			continue
		case one.Reads() && one.Setup != hash:
			return nil, fmt.Errorf("scores of %s on run %d %s\nScores of two kinds are never mixed. Give the judge as it is now another name in concord.toml: [models.NAME] with model = %q",
				one.Judge, id, s.differs(one.Setup), s.setup.Name)
		}
		s.Usage.Add(one.Usage)
		old := out[one.Key]
		switch {
		case one.Reads(), one.Failure.Kind == eval.FailureSample && (old.Judge == "" || !old.Reads()):
			out[one.Key] = one
		}
	}
	return out, nil
}

// Title is what messages call the job.
func (s *scoring) Title() string { return "scores of " + cli.Visible(s.order.Judge) }

func (s *scoring) asked() string { return s.order.Judge }

func (s *scoring) fact() string { return "score" }

func (s *scoring) on() []eval.Run {
	out := make([]eval.Run, len(s.runs))
	for i := range s.runs {
		out[i] = s.runs[i].Run
	}
	return out
}

// question is all that a judge is shown about an answer.
func (s *scoring) question(k eval.Key) (q eval.ScoreQuestion, err error) {
	if q.Sample, err = s.Factory.Store.Datasets().Sample(s.order.Dataset, k.Sample); err != nil {
		return q, err
	}
	q.Prediction, err = s.Factory.Store.Runs().Prediction(k)
	return q, err
}

// scoreTokens is a digit, and what a server puts around it.
const scoreTokens = 4

func (s *scoring) Estimate() (eval.Estimate, error) {
	scorer, err := judge.NewScorer(s.means(nil))
	if err != nil {
		return eval.Estimate{}, err
	}
	return s.weigh(&s.Tally, len(s.due), scoreTokens, func(i int) (eval.Sample, eval.Chat, error) {
		q, err := s.question(s.due[i])
		if err != nil {
			return q.Sample, eval.Chat{}, err
		}
		chat, err := scorer.Chat(q)
		return q.Sample, chat, err
	})
}

// Runner is what asks for the scores that are due.
func (s *scoring) Runner(ctx context.Context, e Effort) (*engine.Runner, error) {
	c, err := s.equip(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", s.asked(), err)
	}
	scorer, err := judge.NewScorer(s.means(c))
	if err != nil {
		return nil, err
	}
	j := eval.Job{Dataset: s.order.Dataset, LeftOut: leftOut(s.missing)}
	for _, r := range s.runs {
		j.Runs = append(j.Runs, r.ID)
	}
	return engine.NewScores(engine.Asking[eval.ScoreQuestion]{
		Terms: s.Factory.terms(e, s.asked()), Job: j, Price: s.Factory.Models.price(s.asked()), Tally: s.Tally,
		Due: func(ctx context.Context) iter.Seq2[eval.ScoreQuestion, error] { return each(ctx, s.due, s.question) },
	}, scorer, s.Factory.Store.Scores())
}

// each yields what is to be asked about what is due, read when it is asked.
func each[D, Q any](ctx context.Context, due []D, question func(D) (Q, error)) iter.Seq2[Q, error] {
	return func(yield func(Q, error) bool) {
		for _, d := range due {
			if ctx.Err() != nil {
				return
			}
			q, err := question(d)
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// runs finds stored runs, and sums up what became of them.
type runs struct {
	Store *store.Store
}

// existing gives the run of the same name (dataset, model, strategy, modality,
// shots) with the fewest differences, the newest of several, and what they
// are. Without a run of that name it gives eval.ErrNotFound.
func (rs *runs) existing(ctx context.Context, c eval.Config) (eval.Run, []eval.Difference, error) {
	similar, err := rs.Store.Runs().Similar(ctx, c)
	if err != nil {
		return eval.Run{}, nil, err
	}
	if len(similar) == 0 {
		return eval.Run{}, nil, eval.ErrNotFound
	}
	var best eval.Run
	var diffs []eval.Difference
	for n, r := range slices.Backward(similar) {
		if d := c.Diff(&r.Config); n == len(similar)-1 || len(d) < len(diffs) {
			best, diffs = r, d
		}
	}
	return best, diffs, nil
}

// answering finds the one run of a model on a dataset; ids choose among several.
func (rs *runs) answering(d eval.DatasetName, model string, ids []eval.RunID) (eval.Run, error) {
	all, err := rs.Store.Runs().List()
	if err != nil {
		return eval.Run{}, err
	}
	var models []string
	for _, r := range all {
		if r.Config.Dataset == d {
			models = append(models, r.Config.Model)
		}
	}
	slices.Sort(models)
	found := eval.RunsOf(all, d, model, ids)
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return eval.Run{}, cli.Usage(fmt.Errorf("model %s has %d runs on dataset %s (%d and %d among them): name one with --run",
			model, len(found), d, found[0].ID, found[1].ID))
	case len(models) == 0:
		return eval.Run{}, fmt.Errorf("dataset %s has no answers yet (see: concord eval --help, concord import predictions --help): %w", d, eval.ErrNotFound)
	}
	return eval.Run{}, fmt.Errorf("no run of model %s on dataset %s (models with answers: %s): %w", model, d, cli.Few(slices.Compact(models)), eval.ErrNotFound)
}

// answered lists the runs whose answers an order scores.
func (rs *runs) answered(o *ScoringOrder) ([]scoredRun, error) {
	ids := make([]uint, len(o.Runs))
	for i, r := range o.Runs {
		ids[i] = uint(r)
	}
	models := slices.Compact(slices.Sorted(slices.Values(o.Models)))
	if len(models) == 0 {
		models = []string{""} // whichever
	}
	var out []scoredRun
	for _, model := range models {
		runs, err := facts.MatchRuns(rs.Store, string(o.Dataset), model, ids)
		if err != nil {
			return nil, err
		}
		for _, r := range runs {
			out = append(out, scoredRun{Run: r})
		}
	}
	return out, nil
}

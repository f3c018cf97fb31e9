package jobs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
)

// GradingOrder is what a judge is to grade, as somebody asks for it.
type GradingOrder struct {
	Dataset       eval.DatasetName
	Models        []string     // none: all that answered
	Runs          []eval.RunID // none: all of these models
	Judge         string
	Sample        bool // one call asks about all criteria of a sample
	Repeats       int  // how often each is asked
	Edge          int  // pictures' longer edge; below 0: as the judge is configured
	WithoutImages bool // what lacks its image is graded too
	Failed        bool // what failed is asked again
	Unparsed      bool // and replies that lack a verdict
}

// gradingJob is an order made out.
type gradingJob struct {
	singleCalls[dueGrades, eval.GradeQuestion]
	order    GradingOrder
	runs     []eval.Run // whose responses are graded
	criteria [][]eval.AskedCriterion
	blind    []bool // of samples whose image is not all there
	outdated int    // criteria that were graded under an older wording only
}

// dueGrades is a call to make: about one criterion of a response, or about all.
type dueGrades struct {
	of        eval.Key
	criterion int // allCriteria: one call asks about all
	repeat    int
}

const allCriteria = -1

// String names the response and the repeat in the names of calls: a criterion may
// change its place while a batch is under way, and its text is in the call.
func (d dueGrades) String() string { return fmt.Sprint(d.of, d.repeat) }

type gradeKey struct {
	eval.Key
	criterion, hash string
	repeat          int
}

// gradeTokens is a verdict behind a few sentences of reasons.
const gradeTokens = 80

// NewGradingJob makes an order out. Nothing is asked, and nothing is stored.
func (l *Factory) NewGradingJob(ctx context.Context, o *GradingOrder) (*gradingJob, error) {
	if o.Repeats < 1 {
		return nil, cli.NewUsageError(fmt.Errorf("--repeats %d: want 1 or more", o.Repeats))
	}
	survey, err := l.Datasets.DatasetFacts(ctx, o.Dataset)
	if err != nil {
		return nil, err
	}
	g := &gradingJob{order: *o}
	if g.judgeConfig, err = l.newJudgeConfig(o.Judge, prompt.GradeTemplateName(o.Sample)); err == nil {
		err = cmp.Or(g.setImageEdge(o.Edge), g.useTriedPrompt())
	}
	if err != nil {
		return nil, fmt.Errorf("judge %s: %w", o.Judge, err)
	}
	g.missing, g.title, g.unit, g.role, g.tokens = make(map[string]int), "grades of", "call", "judge", gradeTokens
	g.prepare, g.question = g.newGrader, g.newGradeQuestion
	g.about = func(d dueGrades) (annotate.ItemKey, string) {
		name := ""
		if d.criterion != allCriteria {
			name = g.criteria[d.of.Sample][d.criterion].Name
		}
		return annotate.NewItemKey(d.of), name
	}
	g.job = func() eval.Job {
		return eval.Job{Dataset: o.Dataset, Runs: runIDs(g.runs), LeftOut: toLeftOutList(g.missing)}
	}
	if g.runs, err = l.runs.listRunsOfModels(o.Dataset, o.Models, o.Runs); err != nil {
		return nil, err
	}
	why, err := g.whyUngradable(ctx, survey.dataset.Samples)
	if err != nil {
		return nil, err
	}
	if err := eval.Each(g.runs, func(r eval.Run) error { return g.sortDueResponses(ctx, r.ID, why) }); err != nil {
		return nil, err
	}
	if o.Sample && len(g.Due) > 0 {
		g.tokens = gradeTokens * eval.Sum(g.Due, func(d dueGrades) int { return len(g.criteria[d.of.Sample]) }) / len(g.Due)
	}
	return g, nil
}

// whyUngradable reads the criteria, and says why responses to a sample cannot be graded; "" where they can.
func (g *gradingJob) whyUngradable(ctx context.Context, samples int) ([]string, error) {
	why := slices.Repeat([]string{NoCriteria}, samples)
	g.criteria, g.blind = make([][]eval.AskedCriterion, samples), make([]bool, samples)
	st, some := g.Factory.Store, false
	for set, err := range st.Criteria().All(ctx, g.order.Dataset) {
		if err != nil {
			return nil, err
		}
		cs := set.Criteria()
		for i := range cs {
			g.criteria[set.Sample] = append(g.criteria[set.Sample], eval.AskedCriterion{Name: criteria.CriterionName(cs, i), Hash: cs[i].HashText(), Text: cs[i].Text})
		}
		if len(cs) > 0 {
			why[set.Sample], some = "", true
		}
		if set.Removed != nil {
			why[set.Sample] = discarded
		}
	}
	if !some {
		return nil, fmt.Errorf("dataset %s has no criteria yet: write some in the app, or import them with concord import criteria", g.order.Dataset)
	}
	err := eval.ForEachRead(st.Datasets().Samples(ctx, g.order.Dataset), func(s eval.Sample) {
		if g.blind[s.Ordinal] = s.CountHeldImages() < s.CountImages(); g.blind[s.Ordinal] && !g.order.WithoutImages {
			why[s.Ordinal] = cmp.Or(why[s.Ordinal], WithoutPicture)
		}
	})
	return why, err
}

// sortDueResponses sorts the responses of a run into what stands, what is due and what cannot be asked.
func (g *gradingJob) sortDueResponses(ctx context.Context, run eval.RunID, why []string) error {
	standing, err := readNewestFacts(&g.singleCalls, "Grades", fmt.Sprintf("run %d", run), g.Factory.Store.Grades().All(ctx, run), func(f *eval.Grade) callFact[gradeKey] {
		return callFact[gradeKey]{gradeKey{f.Key, f.Criterion, f.Hash, f.Repeat}, f.Judge, f.Setup, f.Usage, f.Failure}
	}, func(f *eval.Grade) func(context.Context) error {
		if t := g.Factory.trial; why[f.Sample] != "" || t != nil && (f.Repeat > 0 || !t.isTriedOn(annotate.NewItemKey(f.Key), f.Criterion)) {
			return nil
		}
		f.Judge, f.Setup = g.recordedJudgeName()
		f.Usage, f.Latency = eval.Usage{}, 0
		return func(ctx context.Context) error {
			_, err := g.Factory.Store.Grades().Put(ctx, []eval.Grade{*f})
			return err
		}
	})
	if err != nil {
		return err
	}
	graded := make(map[gradeKey]bool) // under whatever wording
	for k := range standing {
		k.hash = ""
		graded[k] = true
	}
	return g.eachAskableAnswer(ctx, run, why, func(k eval.Key) {
		for repeat := range g.order.Repeats {
			g.sortDueCriteria(k, repeat, standing, graded)
		}
	})
}

func (g *gradingJob) sortDueCriteria(k eval.Key, repeat int, standing map[gradeKey]eval.Grade, graded map[gradeKey]bool) {
	anyDue, anyFailed, allHold := false, false, true
	for i, c := range g.criteria[k.Sample] {
		of := gradeKey{k, c.Name, c.Hash, repeat}
		one, known := standing[of]
		failed, holds := !one.HasReply(), one.Verdict != eval.VerdictUnset
		due := !known || failed && g.order.Failed || !failed && !holds && g.order.Unparsed
		if of.hash = ""; !known && graded[of] {
			g.outdated++
		}
		if !g.order.Sample {
			g.countOrQueueUnit(dueGrades{k, i, repeat}, due, failed, holds)
		}
		anyDue, anyFailed, allHold = anyDue || due, anyFailed || failed, allHold && holds
	}
	if g.order.Sample {
		g.countOrQueueUnit(dueGrades{k, allCriteria, repeat}, anyDue, anyFailed, allHold)
	}
}

func (g *gradingJob) comparedRuns() []eval.Run { return g.runs }

// newGradeQuestion gives all that a judge is shown about a response: all images of the sample, or none.
func (g *gradingJob) newGradeQuestion(d dueGrades) (q eval.GradeQuestion, err error) {
	st := g.Factory.Store
	q = eval.GradeQuestion{Criteria: g.criteria[d.of.Sample], Repeat: d.repeat, Pictures: st.Datasets().Picture}
	if d.criterion != allCriteria {
		q.Criteria = q.Criteria[d.criterion : d.criterion+1]
	}
	if q.Sample, err = st.Datasets().Sample(g.order.Dataset, d.of.Sample); err != nil {
		return q, err
	}
	if g.blind[d.of.Sample] {
		q.Sample.Pictures = nil
	}
	q.Prediction, err = st.Runs().Prediction(d.of)
	return q, err
}

func (g *gradingJob) newGrader(_ context.Context, c eval.Chatter) (modelCaller[eval.GradeQuestion], error) {
	grader, err := judge.NewGrader(g.judgeDependencies(c), g.order.Sample)
	of := func(q *eval.GradeQuestion) *eval.Sample { return &q.Sample }
	return newModelCaller(grader.BuildChat, of, func(a engine.SingleCalls[eval.GradeQuestion]) (*engine.Runner, error) {
		return engine.NewGradeRunner(a, grader, g.Factory.Store.Grades().Put)
	}), err
}

// GradingSummary is what became of a grading order, as `concord judge criteria` prints it. It counts calls.
type GradingSummary struct {
	Dataset  eval.DatasetName `json:"dataset"`
	Judge    string           `json:"judge"`
	Models   []string         `json:"models"`
	Per      string           `json:"per"` // criterion or sample
	Repeats  int              `json:"repeats"`
	Outdated int              `json:"outdated"` // criteria that were graded under an older wording only, when the command began
	jobSummary
}

// printSummary says what became of a grading order: one object for scripts, else a few lines.
func (g *gradingJob) printSummary(p eval.Progress, ended error) error {
	s := GradingSummary{
		Dataset: g.order.Dataset, Judge: g.order.Judge, Per: eval.Either(g.order.Sample, "sample", "criterion"), Repeats: g.order.Repeats, Outdated: g.outdated,
		jobSummary: newJobSummary(p, ended, &g.Tally, g.missing),
	}
	s.Models = append(s.Models, eval.Map(g.runs, func(r eval.Run) string { return r.Config.Model })...)
	var b strings.Builder
	fmt.Fprintf(&b, "grades of %s on %s, %s, a call for each %s: %s\n%s", cli.EscapeControls(s.Judge), cli.EscapeControls(cli.JoinFirstNames(s.Models)), cli.EscapeControls(string(s.Dataset)),
		s.Per, s.formatDone("call"), s.formatCalls("verdict"))
	if s.Outdated > 0 {
		fmt.Fprintf(&b, "  outdated  %s graded under an older wording when this began\n", cli.FormatCountOf(s.Outdated, "criterion was", "criteria were"))
	}
	b.WriteString(s.formatOmitted("answer"))
	b.WriteString(s.formatSpent())
	fmt.Fprintf(&b, "  report    concord report rubric --dataset %s\n", cli.QuoteForShell(string(s.Dataset)))
	return g.Factory.PrintResult(s, "%s", &b)
}

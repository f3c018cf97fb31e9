package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/stat"
)

// RunSummary is what became of a run, as `concord eval` and `concord judge` print it.
type RunSummary struct {
	Run         eval.RunID       `json:"run"`
	Dataset     eval.DatasetName `json:"dataset"`
	Model       string           `json:"model"`
	Strategy    string           `json:"strategy"`
	Modality    string           `json:"modality"`
	Made        bool             `json:"made"` // by this command; else it went on with the run
	State       string           `json:"state"`
	Why         string           `json:"why,omitempty"`
	Questions   int              `json:"questions"` // that need no further pass
	Total       int              `json:"total"`
	Predictions int              `json:"predictions"` // failed calls are none
	Found       int              `json:"found"`
	None        int              `json:"none"`
	Refused     int              `json:"refused"`
	Ambiguous   int              `json:"ambiguous"`
	Missing     int              `json:"missing"`
	NotRead     int              `json:"not_read"`
	Cut         int              `json:"cut"` // of the missing: the endpoint stopped at its token limit
	Errors      int              `json:"errors"`
	Judges      []judgeSummary   `json:"judges"`
	Scores      []scoreSummary   `json:"scores,omitempty"` // of a run that is done
	Usage       usageSummary     `json:"usage"`
	Cost        *float64         `json:"cost"` // null: prices are not known
	Seconds     float64          `json:"seconds"`
	LastError   string           `json:"last_error,omitempty"`

	asked []string // the judges that this command was for; none: the run's own
}

type judgeSummary struct {
	Judge    string       `json:"judge"`
	Judged   int          `json:"judged"`
	Found    int          `json:"found"`
	None     int          `json:"none"`
	Unparsed int          `json:"unparsed"`
	Fallback int          `json:"fallback"`
	Errors   int          `json:"errors"`
	Waiting  int          `json:"waiting"`
	Usage    usageSummary `json:"usage"`
}

type usageSummary struct {
	Prompt     int `json:"prompt"`
	Cached     int `json:"cached"`
	Completion int `json:"completion"`
	Reasoning  int `json:"reasoning"`
}

func newUsageSummary(u eval.Usage) usageSummary { return usageSummary(u) }

// String is the tokens for people.
func (u usageSummary) String() string {
	return fmt.Sprintf("%d in%s, %d out", u.Prompt, eval.Either(u.Cached > 0, fmt.Sprintf(" (%d cached)", u.Cached), ""), u.Completion)
}

func newRunSummary(run eval.Run, made bool, p eval.Progress) RunSummary {
	done, total := p.CountDoneQuestions()
	c := p.Counts
	s := RunSummary{
		Run: run.ID, Dataset: run.Config.Dataset, Model: run.Config.Model,
		Strategy: run.Config.Strategy.String(), Modality: run.Config.Modality.String(), Made: made,
		State: p.State.String(), Why: p.Why, Questions: done, Total: total,
		Predictions: c.Predictions - c.Failures, Errors: c.Failures,
		Found: c.Statuses[eval.Found], None: c.Statuses[eval.None], Refused: c.Statuses[eval.Refused],
		Ambiguous: c.Statuses[eval.Ambiguous], Missing: c.Statuses[eval.Missing], NotRead: c.Statuses[eval.StatusUnset],
		Judges: []judgeSummary{}, Usage: newUsageSummary(c.Usage), LastError: p.LastFailure,
	}
	s.Seconds, s.Cost = timeAndCost(&p)
	for _, j := range p.Judges {
		s.Judges = append(s.Judges, judgeSummary{
			Judge: j.Judge, Judged: j.Counts.Judged, Found: j.Counts.Statuses[eval.Found],
			None: j.Counts.Statuses[eval.None], Unparsed: j.Counts.CountUnparsed(), Fallback: j.Counts.Fallback,
			Errors: j.Counts.Failures, Waiting: j.Counts.CountWaiting(c), Usage: newUsageSummary(j.Counts.Usage),
		})
	}
	return s
}

// summarizeRun summarizes what became of a run by this command.
func (rs *runFinder) summarizeRun(ctx context.Context, run eval.Run, made bool, p eval.Progress, e Effort, ended error) (RunSummary, error) {
	s := newRunSummary(run, made, p)
	if s.Missing > 0 {
		n, err := rs.countCutOff(context.WithoutCancel(ctx), run)
		if err != nil {
			return s, err
		}
		s.Cut = min(n, s.Missing)
	}
	s.asked = append(s.asked, eval.Map(e.JudgeOnly, func(j eval.JudgeSetup) string { return j.Judge })...)
	if p.State == eval.Done && s.Predictions > s.NotRead {
		var err error
		if s.Scores, err = rs.computeAccuracies(context.WithoutCancel(ctx), &s); err != nil {
			return s, err
		}
	}
	if left := s.Total - s.Questions; e.FailedOnly && e.JudgeOnly == nil && p.State == eval.Done && left > s.Errors {
		s.Why = cli.FormatCount(left-s.Errors, "question") + " not asked to the end: without --retry-failed the run continues"
	}
	if errors.Is(ended, errBudget) {
		s.State, s.Why = eval.Paused.String(), cmp.Or(p.Why, errBudget.Error())
	}
	return s, nil
}

// NewSummaryPrinter says what became of a run: one object for scripts, else a few lines.
// What ended it early is said by the error that comes after.
func NewSummaryPrinter(a *project.Project) func(RunSummary) error {
	return func(s RunSummary) error { return a.PrintResult(s, "%s", s.formatText()) }
}

func (s *RunSummary) formatText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %d: %s on %s (%s, %s): %s, %d of %s\n", s.Run, cli.EscapeControls(s.Model), cli.EscapeControls(string(s.Dataset)),
		s.Strategy, s.Modality, s.State, s.Questions, cli.FormatCount(s.Total, "question"))
	if s.Why != "" {
		fmt.Fprintf(&b, "  %s\n", cli.EscapeControls(s.Why))
	}
	fmt.Fprintf(&b, "  answers   %d: %d read by the rules", s.Predictions, s.Found)
	for _, part := range []struct {
		n    int
		name string
	}{{s.Refused, "refused"}, {s.Ambiguous, "ambiguous"}, {s.None, "none of the options"}, {s.Missing, "missing"}, {s.NotRead, "open, which no rules read"}} {
		if part.n > 0 {
			fmt.Fprintf(&b, ", %d %s", part.n, part.name)
		}
	}
	b.WriteByte('\n')
	if s.Cut > 0 {
		fmt.Fprintf(&b, "  cut off   %d of the missing ended at the token limit: raise max_tokens in the model's params\n", s.Cut)
	}
	if s.Errors > 0 { // what samples are to blame for is asked again by request only
		again := eval.Either(s.Questions < s.Total, "the same command asks again what an outage took", "--retry-failed asks them again")
		fmt.Fprintf(&b, "  errors    %d, the last one: %s (%s)\n", s.Errors, cli.EscapeControls(cmp.Or(s.LastError, "in an earlier session")), again)
	}
	for _, j := range s.Judges {
		fmt.Fprintf(&b, "  judge     %s: %d judged, %d found, %d none, %d unparsed, %d errors, %d waiting", cli.EscapeControls(j.Judge),
			j.Judged, j.Found, j.None, j.Unparsed, j.Errors, j.Waiting)
		if j.Fallback > 0 {
			fmt.Fprintf(&b, ", %d drawn at random", j.Fallback)
		}
		fmt.Fprintf(&b, "; tokens %v\n", j.Usage)
		if j.Errors > 0 && s.Errors == 0 && s.LastError != "" {
			fmt.Fprintf(&b, "            the last error: %s\n", cli.EscapeControls(s.LastError))
		}
	}
	for _, score := range s.Scores {
		fmt.Fprintf(&b, "  accuracy  %s\n", cli.EscapeControls(score.formatText()))
	}
	fmt.Fprintf(&b, "  tokens    %v", s.Usage)
	if s.Cost != nil {
		fmt.Fprintf(&b, ", cost %.4g", *s.Cost)
		if len(s.Judges) > 0 {
			b.WriteString(" with what the judges took")
		}
	}
	b.WriteByte('\n')
	if s.Predictions > 0 && s.Predictions > s.NotRead {
		fmt.Fprintf(&b, "  report    concord report accuracy --run %d", s.Run)
		if judge := s.firstReadingJudge(); judge != "" {
			b.WriteString(" --judge " + cli.QuoteForShell(judge))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// firstReadingJudge is the judge whose readings complete the rules' in a report, "" when none has read anything.
func (s *RunSummary) firstReadingJudge() string {
	j, _ := eval.FirstWanted(s.Judges, func(j judgeSummary) bool {
		return j.Judged > 0 && (len(s.asked) == 0 || slices.Contains(s.asked, j.Judge))
	})
	return j.Judge
}

// scoreSummary is an accuracy as report accuracy has it: the same reading, the same rate.
type scoreSummary struct {
	Strategy  string    `json:"strategy"`
	Extractor string    `json:"extractor"`
	Accuracy  stat.Rate `json:"accuracy"`
}

// computeAccuracies computes the accuracies of a run that is done, read as its summary's report reads it.
func (rs *runFinder) computeAccuracies(ctx context.Context, s *RunSummary) ([]scoreSummary, error) {
	r, err := accuracy.ReportAccuracy(ctx, facts.NewSource(rs.Store), report.Options{Runs: []eval.RunID{s.Run}, Judge: s.firstReadingJudge()})
	if err != nil {
		return nil, fmt.Errorf("score run %d: %w", s.Run, err)
	}
	return eval.Map(report.SelectRows[*accuracy.Row](r.Rows), func(a *accuracy.Row) scoreSummary {
		return scoreSummary{Strategy: a.Strategy, Extractor: a.Extractor, Accuracy: a.Accuracy}
	}), nil
}

func (s *scoreSummary) formatText() string {
	a := s.Accuracy
	if a.Undefined != "" {
		return fmt.Sprintf("%s: none (%s)", s.Strategy, a.Undefined)
	}
	const percent = 100
	return fmt.Sprintf("%s %.1f%% [%.1f, %.1f]  %d/%d, as %s reads it", s.Strategy, percent*a.Value, percent*a.Low, percent*a.High, a.K, a.N, s.Extractor)
}

// countCutOff counts the answers that ended at a token limit and are not read.
func (rs *runFinder) countCutOff(ctx context.Context, run eval.Run) (n int, err error) {
	reader, err := facts.FindRulesOfRun(run)
	if err != nil {
		return 0, err
	}
	err = eval.ForEachRead(rs.Store.Runs().Questions(ctx, run), func(q eval.Question) {
		for i := range q.Predictions {
			p := &q.Predictions[i]
			if p.Failure == nil && p.Finish == "length" && eval.ReadPrediction(reader, &q.Sample, p).Status == eval.Missing {
				n++
			}
		}
	})
	return n, err
}

type inspectSummary struct {
	Inspection string           `json:"inspection"`
	Dataset    eval.DatasetName `json:"dataset"`
	Inspectors int              `json:"inspectors"`
	Graders    int              `json:"graders"`
	Pool       int              `json:"pool"`
	Kept       int              `json:"kept"`
	Answerable int              `json:"answerable"`
	Doubtful   int              `json:"doubtful"`
	Incomplete int              `json:"incomplete"`
	Abnormal   int              `json:"abnormal"`
	Majority   int              `json:"majority"`
	Difficulty map[string]int   `json:"difficulty"` // of the kept ones
}

// ungraded names the samples that not every grader has decided.
const ungraded = "ungraded"

func summarizeInspection(in *curation.Inspection) inspectSummary {
	out := inspectSummary{
		Inspection: in.Name, Dataset: in.Dataset, Inspectors: len(in.Probes), Graders: len(in.Graders),
		Pool: len(in.Marks), Difficulty: make(map[string]int),
	}
	for f := range in.EachFinding() {
		switch f.Fate {
		case curation.Kept:
			out.Kept++
			out.Difficulty[cmp.Or(f.Difficulty.String(), ungraded)]++
		case curation.Answerable:
			out.Answerable++
		case curation.Doubtful:
			out.Doubtful++
		case curation.Incomplete:
			out.Incomplete++
		case curation.FateUnset:
		}
		if f.Abnormal {
			out.Abnormal++
		}
		if f.Majority {
			out.Majority++
		}
	}
	return out
}

// PrintInspection prints what an inspection came to.
func PrintInspection(a *project.Project, in *curation.Inspection) error {
	s := summarizeInspection(in)
	text := fmt.Sprintf("inspection %s: %s of %s, %s without the image, %s with it\n", cli.EscapeControls(s.Inspection),
		cli.FormatCount(s.Pool, "sample"), cli.EscapeControls(string(s.Dataset)), cli.FormatCount(s.Inspectors, "run"), cli.FormatCount(s.Graders, "run"))
	text += fmt.Sprintf("  %d kept, %d answerable without image (abnormal: %d, by majority vote: %d)", s.Kept, s.Answerable, s.Abnormal, s.Majority)
	text += eval.Either(s.Doubtful > 0, fmt.Sprintf(", %d doubtful", s.Doubtful), "")
	text += eval.Either(s.Incomplete > 0, fmt.Sprintf(", %d without a ground truth", s.Incomplete), "")
	text += "\n"
	if s.Graders > 0 {
		var levels []string
		for _, d := range []curation.Difficulty{curation.Easy, curation.Moderate, curation.Hard, curation.Tough, curation.Ungraded} {
			name := cmp.Or(d.String(), ungraded)
			if n := s.Difficulty[name]; n > 0 || d != curation.Ungraded {
				levels = append(levels, fmt.Sprintf("%d %s", n, name))
			}
		}
		text += "  of those kept " + strings.Join(levels, ", ") + "\n"
	}
	text += fmt.Sprintf("See: concord report inspectors --inspection %s\n", cli.QuoteForShell(s.Inspection))
	return a.PrintResult(s, "%s", text)
}

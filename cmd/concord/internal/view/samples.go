package view

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/annotate/report"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/extract"
	"concord/eval/metric"
	"concord/store"
	"concord/tui/samples"
)

// Samples shows single predictions and samples, as the list behind a
// figure reads them, and each person what their policy lets through.
type Samples struct {
	facts.Source
	Policy *blind.Policies
	Now    func() time.Time
	How    curating.Settings
}

func (s Samples) newPolicyWatch(who annotate.Annotator) *policyWatch {
	return &policyWatch{policies: s.Policy, now: s.Now, who: who, held: make(map[eval.DatasetName]heldPolicy)}
}

// RowsOfRun yields the questions of a run that are wanted, each with its verdict and
// the pass that decides it; sealed ones without a verdict, as their pass 0
// stands. Each is recorded as shown before it is yielded.
func (s Samples) RowsOfRun(ctx context.Context, who annotate.Annotator, id eval.RunID, want func(*samples.Row) bool) iter.Seq2[samples.Row, error] {
	var of eval.DatasetName
	rows := samples.FilterRows(s.rowsOfRun(ctx, who, id, &of), want)
	tells := func(r *samples.Row) []annotate.Disclosure { return disclosuresOfRow(of, r) }
	return recordRowsAsShown(rows, tells, func(told []annotate.Disclosure) error {
		return s.Policy.RecordShown(ctx, who, fmt.Sprintf("samples of run %d", id), told)
	})
}

// rowsOfRun yields all questions of a run, and says whose dataset they are of.
func (s Samples) rowsOfRun(ctx context.Context, who annotate.Annotator, id eval.RunID, of *eval.DatasetName) iter.Seq2[samples.Row, error] {
	return func(yield func(samples.Row, error) bool) {
		run, err := s.Store.Runs().Run(id)
		var reader eval.Reader
		if err == nil {
			reader, err = facts.FindRulesOfRun(run)
		}
		if err != nil {
			yield(samples.Row{}, err)
			return
		}
		*of = run.Config.Dataset
		scheme := metric.Scheme{Run: run, Rules: reader}
		w := s.newPolicyWatch(who)
		answered := eval.Filter(s.Store.Runs().Questions(ctx, run), func(q *eval.Question) bool { return len(q.Predictions) > 0 })
		eval.MapSeq(answered, func(q eval.Question) (samples.Row, error) {
			row, err := s.newQuestionRow(w, &scheme, &q)
			return leaveOutBlindRow(row), err
		})(yield)
	}
}

// leaveOutBlindRow leaves a blind row out of a list, and only counts it: the list is of a run or a
// figure, and with the row's sample it would tell whose answer the item in the queue is.
func leaveOutBlindRow(row samples.Row) samples.Row {
	return eval.Either(!row.Visibility.ShowsText(), samples.Row{LeftOut: true}, row)
}

func (s Samples) newQuestionRow(w *policyWatch, scheme *metric.Scheme, q *eval.Question) (samples.Row, error) {
	view, err := w.viewByFreshPolicy(scheme.Run.Config.Dataset, q.Sample.Ordinal)
	if err != nil {
		return samples.Row{}, err
	}
	if !view.HidesTruth() {
		return newRow(scheme.Run, q, scheme.Decide(q)), nil
	}
	k := eval.Key{Run: scheme.Run.ID, Sample: q.Sample.Ordinal}
	at := slices.IndexFunc(q.Predictions, func(p eval.Prediction) bool { return p.Pass == 0 })
	if at < 0 {
		return samples.Row{Key: k, Sample: q.Sample.ID, Visibility: blind.TruthHidden}, nil
	}
	row, legible := newBlindRow(view, &q.Sample, &q.Predictions[at])
	if legible && row.Failure == "" {
		r := scheme.ReadPrediction(&q.Sample, &q.Predictions[at])
		row.Reading = r.Combined
	}
	return row, nil
}

func newRow(run eval.Run, q *eval.Question, o metric.Outcome) samples.Row {
	pass, _ := o.DecidingPass()
	at := max(0, slices.IndexFunc(q.Predictions, func(p eval.Prediction) bool { return p.Pass == pass }))
	row := newOpenRow(&q.Sample, &q.Predictions[at])
	row.Reading = o.Readings[at].Combined
	verdict := eval.Either(run.Config.Strategy == eval.Circular, o.Circular, o.Vanilla)
	switch verdict {
	case metric.Right:
		row.Result = samples.Right
	case metric.NotRight:
		row.Result = samples.Wrong
	default:
		row.Result, row.Why = samples.Unscored, strings.ReplaceAll(verdict.String(), "_", " ")
	}
	return row
}

// newOpenRow gives the row of an open prediction before anything has read it.
func newOpenRow(s *eval.Sample, p *eval.Prediction) samples.Row {
	row := samples.Row{Key: p.Key, Sample: s.ID, Visibility: blind.AllVisible, Question: s.Question, Text: p.Text, Truth: p.ShownQuestion(s).Answer}
	if p.Failure != nil {
		row.Failure = p.Failure.Message
	}
	return row
}

// newBlindRow gives the row of a prediction about a sealed sample before anything has
// read it, and whether it may show how it is read.
func newBlindRow(view *blind.View, s *eval.Sample, p *eval.Prediction) (row samples.Row, legible bool) {
	sight := view.VisibilityOf(p.Key, makeUnreadTest(s, p))
	if !sight.ShowsText() {
		return samples.Row{Key: p.Key, Sample: s.ID, Visibility: sight}, false
	}
	row = newOpenRow(s, p)
	row.Visibility, row.Truth = sight, ""
	return row, true
}

// readByExtractor reads what an extractor reads: "rules:NAME", "JUDGE after rules:NAME", a
// judge's name, or "" for the run's own rules.
func (s Samples) readByExtractor(run eval.Run, sample *eval.Sample, p *eval.Prediction, extractor string) (eval.Extraction, error) {
	name, isRules := strings.CutPrefix(extractor, "rules:")
	if isRules || extractor == "" {
		if !isRules {
			name = run.Config.Rules
		}
		r, err := extract.FindRules(cmp.Or(name, extract.Default))
		if err != nil {
			return eval.Extraction{}, err
		}
		return eval.ReadPrediction(r, sample, p), nil
	}
	judge, rules, after := strings.Cut(extractor, report.After)
	var first eval.Extraction
	if after {
		var err error
		if first, err = s.readByExtractor(run, sample, p, report.RulesPrefix+rules); err != nil || first.IsFound() {
			return first, err
		}
	}
	judgments, err := s.Store.Judgments().OfPrediction(p.Key)
	if err != nil {
		return eval.Extraction{}, err
	}
	for _, j := range newestByJudge(judgments) {
		if j.Judge == judge && (!after || metric.SaysSomething(j.Extraction)) {
			return j.Extraction, nil
		}
	}
	return eval.Either(after, first, eval.Extraction{Status: eval.Missing, Method: "not asked"}), nil
}

// newestByJudge keeps each judge's last word of the judgments of one prediction.
func newestByJudge(all []eval.Judgment) []eval.Judgment {
	var out []eval.Judgment
	for i, j := range all {
		if !slices.ContainsFunc(all[i+1:], func(o eval.Judgment) bool { return o.Judge == j.Judge }) {
			out = append(out, j)
		}
	}
	return out
}

var (
	_ blind.QueueReader = (*store.Queues)(nil)
	_ blind.ActReader   = (*store.Acts)(nil)
	_ blind.Recorder    = (*store.Disclosures)(nil)
)

// NewPolicies makes the policies of a project's people.
func NewPolicies(st *store.Store) *blind.Policies {
	return blind.NewPolicies(st.Queues(), st.Acts(), st.Disclosures())
}

// policyWatch keeps the policies of one person up to date while a list is read:
// between two pages of it people may have acted and queues have grown.
type policyWatch struct {
	policies *blind.Policies
	now      func() time.Time
	who      annotate.Annotator

	mu   sync.Mutex
	held map[eval.DatasetName]heldPolicy
}

type heldPolicy struct {
	*blind.Policy
	made time.Time
}

// fresh is how old a policy may be.
const fresh = time.Second

func (w *policyWatch) viewByFreshPolicy(of eval.DatasetName, o eval.Ordinal) (*blind.View, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	p, now := w.held[of], w.now()
	if p.Policy == nil || now.Sub(p.made) >= fresh || now.Before(p.made) {
		policy, err := w.policies.NewPolicy(w.who, of)
		if err != nil {
			return nil, err
		}
		p = heldPolicy{policy, now}
		w.held[of] = p
	}
	return p.ViewSample(o)
}

// makeUnreadTest reports whether rules read no choice out of a prediction, which has growing queues
// ask for it; also when those rules are not known here. A call that failed has nothing to read.
func makeUnreadTest(s *eval.Sample, p *eval.Prediction) func(rules string) bool {
	return func(rules string) bool {
		if p.Failure != nil {
			return false
		}
		name, _, _ := strings.Cut(rules, "@")
		r, err := facts.FindRules(name)
		return err != nil || eval.ReaderID(r) != rules || eval.ReadPrediction(r, s, p).IsUnparsable()
	}
}

// summarizeLabels summarizes what people said in a few words: "A", or "A 2, none 1".
func summarizeLabels(labels []annotate.Label) string {
	var order []string
	count := make(map[string]int)
	for _, l := range labels {
		word := l.Reading.Word()
		if count[word] == 0 {
			order = append(order, word)
		}
		count[word]++
	}
	if len(order) == 1 {
		return order[0]
	}
	slices.SortStableFunc(order, func(a, b string) int { return count[b] - count[a] })
	return eval.JoinList(order, func(word string) string { return fmt.Sprintf("%s %d", word, count[word]) })
}

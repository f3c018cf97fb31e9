package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/annotate"
	"concord/annotate/report/alignment"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/stat"
)

// TuningOrder is a prompt by which a judge is to read a part of what people have
// labelled in a queue.
type TuningOrder struct {
	Queue    annotate.QueueName
	Judge    string
	Template string // that Prompt stands for
	Prompt   string
	Part     alignment.Part
}

// Options are those of a report on what people and judges say of the part.
func (o *TuningOrder) Options() alignment.Options {
	return alignment.Options{Queue: o.Queue, Part: o.Part, Judge: o.Judge}
}

// TuningJob is an order made out. Its readings are those of a judge of its own, which
// has the name of the candidate: what was asked once is found there.
type TuningJob struct {
	singleCalls[eval.Key, eval.JudgeQuestion]
	order TuningOrder
	runs  map[eval.RunID]eval.Run
}

// Name is the candidate's name.
func (t *TuningJob) Name() string { return t.setup.Judge }

// NewTuningJob makes an order out. Nothing is asked, and nothing is stored.
func NewTuningJob(ctx context.Context, l *Factory, o *TuningOrder) (*TuningJob, error) {
	read := facts.Source{Store: l.Store}
	q, err := read.Queue(o.Queue)
	if err != nil {
		return nil, err
	}
	keys, err := alignment.ListLabelled(ctx, read, o.Options())
	if err != nil {
		return nil, err
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("queue %s has no item of the %s part on which people agree: label some first (concord review)", o.Queue, o.Part)
	}
	survey, err := l.Datasets.DatasetFacts(ctx, q.Rule.Dataset)
	if err != nil {
		return nil, err
	}
	t := &TuningJob{order: *o, runs: make(map[eval.RunID]eval.Run)}
	t.Factory, t.configured, t.hints = l, o.Judge, l.Conf.HintCount()
	templates := survey.judgeTemplates()
	if t.setup, t.set, err = l.newReadingSetup(o.Judge, "", templates); err != nil {
		return nil, err
	}
	if name, _, _ := strings.Cut(o.Template, "/"); !slices.Contains(templates, name) {
		return nil, fmt.Errorf("the answers of queue %s are read by %s, not by %s", o.Queue, strings.Join(templates, " and "), o.Template)
	}
	if t.set, err = t.set.WithOverride(o.Template, o.Prompt); err != nil {
		return nil, err
	}
	t.setup.Prompts = t.set.Refs(templates...)
	own, _ := judge.HashSetup(t.setup)
	t.setup.Judge = alignment.NameCandidate(o.Judge, own)
	t.missing, t.title, t.unit, t.role, t.tokens = make(map[string]int), "extractions of", "extraction", "judge", scoreTokens
	t.prepare, t.question = t.newReader, t.newQuestion
	t.job = func() eval.Job { return eval.Job{Dataset: q.Rule.Dataset, Runs: ids(t.comparedRuns())} }
	for _, k := range keys {
		if t.runs[k.Run], err = l.Store.Runs().Run(k.Run); err != nil {
			return nil, err
		}
	}
	return t, t.sortItems(ctx, keys)
}

// sortItems sorts the items into what stands and what is due.
func (t *TuningJob) sortItems(ctx context.Context, keys []eval.Key) error {
	standing := make(map[eval.Key]eval.Judgment)
	for run := range t.runs {
		some, err := newestFacts(&t.singleCalls, "Extractions", fmt.Sprintf("run %d", run), t.Factory.Store.Judgments().Calls(ctx, run), func(f *eval.Judgment) callFact[eval.Key] {
			return callFact[eval.Key]{f.Key, f.Judge, f.Setup, f.Usage, f.Failure}
		})
		if err != nil {
			return err
		}
		maps.Copy(standing, some)
	}
	for _, k := range keys {
		one, known := standing[k]
		t.sortDue(k, !known, known && !one.HasReply(), one.Extraction.Status != eval.Missing)
	}
	return nil
}

func (t *TuningJob) comparedRuns() []eval.Run {
	return slices.SortedFunc(maps.Values(t.runs), func(a, b eval.Run) int { return cmp.Compare(a.ID, b.ID) })
}

// newQuestion gives all that a judge is shown about an answer.
func (t *TuningJob) newQuestion(k eval.Key) (q eval.JudgeQuestion, err error) {
	q.Run = t.runs[k.Run]
	if q.Sample, err = t.Factory.Store.Datasets().Sample(q.Run.Config.Dataset, k.Sample); err != nil {
		return q, err
	}
	q.Prediction, err = t.Factory.Store.Runs().Prediction(k)
	q.Shown = q.Prediction.ShownQuestion(&q.Sample)
	return q, err
}

func (t *TuningJob) newReader(_ context.Context, c eval.Chatter) (out modelCaller[eval.JudgeQuestion], err error) {
	j, err := judge.New(judge.Options{Setup: t.setup, Chatter: c, Set: t.set, Hints: t.hints})
	out.chat = func(q eval.JudgeQuestion) (*eval.Sample, eval.Chat, error) {
		chat, err := j.BuildChat(q)
		return &q.Sample, chat, err
	}
	out.run = func(a engine.SingleCalls[eval.JudgeQuestion]) (*engine.Runner, error) {
		return engine.NewReadings(a, j, t.Factory.Store.Judgments())
	}
	return out, err
}

// printSummary says what became of the order; figures are the caller's.
func (t *TuningJob) printSummary(p eval.Progress, ended error) error {
	out, s := t.Factory.Out, newJobSummary(p, ended, &t.Tally, t.missing)
	if t.Factory.JSON {
		out = t.Factory.Err
	}
	_, err := fmt.Fprintf(out, "%s, %s part of queue %s: %s\n%s%s", cli.EscapeControls(t.setup.Judge), t.order.Part, cli.EscapeControls(string(t.order.Queue)), s.formatDone("extraction"), s.formatCalls("choice"), s.formatSpent())
	return err
}

// LookCommand is the command that looks at the held-out part with the prompt.
func (t *TuningJob) LookCommand() string {
	return fmt.Sprintf("concord report alignment --queue %s --part held-out --judge %s --save", cli.QuoteForShell(string(t.order.Queue)), cli.QuoteForShell(t.Name()))
}

// Promote makes the prompt the judge's in concord.toml, from a copy beside it, once a look
// at the held-out part was saved. It gives the copy, and what was seen at that look.
func (t *TuningJob) Promote() (file string, agreement stat.Rate, err error) {
	saved, err := facts.Source{Store: t.Factory.Store}.SavedReports(t.order.Queue)
	if err != nil {
		return "", agreement, err
	}
	if agreement, err = alignment.FindLook(saved, t.Name()); errors.Is(err, eval.ErrNotFound) {
		return "", agreement, fmt.Errorf("%w: have the held-out part read (--part held-out), and then: %s", err, t.LookCommand())
	} else if err != nil {
		return "", agreement, err
	}
	folder := filepath.Dir(t.Factory.Path)
	path, name := filepath.Join(folder, config.ProjectFile), filepath.Join("prompts", t.Name()+".txt")
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", agreement, fmt.Errorf("read config: %w", err)
	}
	text, err := config.SetPrompt(old, t.order.Template+config.OfJudge+t.order.Judge, filepath.ToSlash(name))
	if err != nil {
		return "", agreement, err
	}
	if err := os.MkdirAll(filepath.Join(folder, "prompts"), 0o755); err != nil {
		return "", agreement, fmt.Errorf("write prompt: %w", err)
	}
	if err := t.writeFile(filepath.Join(folder, name), t.order.Prompt); err != nil {
		return "", agreement, err
	}
	return name, agreement, t.writeFile(path, string(text))
}

func (t *TuningJob) writeFile(path, text string) error {
	out, err := cli.CreateOut(path, t.Factory.Path)
	if err != nil {
		return err
	}
	_, err = out.WriteString(text)
	if err := out.Finish(err); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

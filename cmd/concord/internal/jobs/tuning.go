package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
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
	"concord/eval/prompt"
	"concord/eval/stat"
	"concord/eval/text"
)

// TuningOrder is a prompt by which a judge is to read a part of what people have
// labelled in a queue.
type TuningOrder struct {
	Queue    annotate.QueueName
	Judge    string
	Template string // that Prompt stands for; "": the first that reads the queue's answers
	Prompt   string // "": the judge's of now
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
	own   []eval.Judgment // what the judge has read under this prompt and these settings by its own name
	drawn int             // examples that were filled into the prompt
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
	labelled, err := alignment.ListLabelled(ctx, read, o.Options())
	if err != nil {
		return nil, err
	}
	if len(labelled) == 0 {
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
	t.order.Template = cmp.Or(o.Template, templates[0])
	if name, _, _ := strings.Cut(t.order.Template, "/"); !slices.Contains(templates, name) {
		return nil, fmt.Errorf("the answers of queue %s are read by %s, not by %s", o.Queue, strings.Join(templates, " and "), t.order.Template)
	}
	if texts := t.set.Texts(t.order.Template); o.Prompt == "" && len(texts) > 0 {
		t.order.Prompt = texts[0].Text
	}
	if err := t.fillExamples(ctx, read, &q); err != nil {
		return nil, err
	}
	if t.set, err = t.set.WithOverride(t.order.Template, t.order.Prompt); err != nil {
		return nil, err
	}
	t.setup.Prompts = t.set.Refs(templates...)
	own, _ := judge.HashSetup(t.setup)
	t.setup.Judge = alignment.NameCandidate(o.Judge, own)
	t.missing, t.title, t.unit, t.role, t.tokens = make(map[string]int), "extractions of", "extraction", "judge", scoreTokens
	t.prepare, t.question = t.newReader, t.newQuestion
	t.job = func() eval.Job { return eval.Job{Dataset: q.Rule.Dataset, Runs: ids(t.comparedRuns())} }
	shown := prompt.ExampleSamples(t.order.Prompt)
	labelled = slices.DeleteFunc(labelled, func(i alignment.Labelled) bool { return slices.Contains(shown, i.Sample) })
	keys := eval.Map(labelled, func(i alignment.Labelled) eval.Key { return i.Key })
	for _, k := range keys {
		if t.runs[k.Run], err = l.Store.Runs().Run(k.Run); err != nil {
			return nil, err
		}
	}
	return t, t.sortItems(ctx, keys, own)
}

// Drawn is how many examples were filled into the prompt.
func (t *TuningJob) Drawn() int { return t.drawn }

// File is where KeepPrompt keeps the prompt, beside the project.
func (t *TuningJob) File() string { return t.promptFile() }

// maxExample is how many bytes a response has at most that is an example, where there are
// others.
const maxExample = 1200

// fillExamples fills the slots of the prompt with answers of the development part, read as
// people do: at most one of a sample, of each class in turn, and otherwise at random
// by the queue's seed.
func (t *TuningJob) fillExamples(ctx context.Context, read facts.Source, q *annotate.Queue) error {
	want := prompt.CountExamples(t.order.Prompt)
	if want == 0 {
		return nil
	}
	labelled, err := alignment.ListLabelled(ctx, read, alignment.Options{Queue: q.Name, Part: alignment.Development, Examples: true})
	if err != nil {
		return err
	}
	var short, long []prompt.Example
	seen := make(map[eval.Ordinal]bool)
	for _, i := range mixClasses(labelled, rand.New(rand.NewPCG(q.Rule.Seed, uint64(want)))) {
		if len(short) == want {
			break
		}
		if seen[i.Sample] {
			continue
		}
		seen[i.Sample] = true
		s, err := read.Sample(q.Rule.Dataset, i.Sample)
		if err != nil {
			return err
		}
		p, err := read.Prediction(i.Key)
		if err != nil {
			return err
		}
		e := prompt.Example{Sample: i.Sample, Question: s.Question, Options: p.ShownQuestion(&s).Options, Response: p.Text, Class: i.Class}
		if len(p.Text) <= maxExample {
			short = append(short, e)
		} else {
			long = append(long, e)
		}
	}
	out := slices.Concat(short, long)
	out = out[:min(want, len(out))]
	_, lang, _ := strings.Cut(t.order.Template, "/")
	t.order.Prompt, t.drawn = prompt.FillExamples(t.order.Prompt, lang, out), len(out)
	return nil
}

// sortItems sorts the items into what stands and what is due. What the judge has read by
// its own name under the same settings, whose hash is own, stands as well.
func (t *TuningJob) sortItems(ctx context.Context, keys []eval.Key, own string) error {
	standing, byJudge := make(map[eval.Key]eval.Judgment), make(map[eval.Key]eval.Judgment)
	for run := range t.runs {
		some, err := newestFacts(&t.singleCalls, "Extractions", fmt.Sprintf("run %d", run), t.Factory.Store.Judgments().Calls(ctx, run), func(f *eval.Judgment) callFact[eval.Key] {
			if f.Judge == t.order.Judge && f.Setup == own && f.HasReply() {
				byJudge[f.Key] = *f
			}
			return callFact[eval.Key]{f.Key, f.Judge, f.Setup, f.Usage, f.Failure}
		})
		if err != nil {
			return err
		}
		maps.Copy(standing, some)
	}
	for _, k := range keys {
		one, known := standing[k]
		if f, read := byJudge[k]; read && (!known || !one.HasReply()) {
			f.Judge, f.Setup, f.Usage = t.setup.Judge, "", eval.Usage{} // it was paid for once
			t.own, one, known = append(t.own, f), f, true
		}
		t.sortDue(k, !known, known && !one.HasReply(), one.Extraction.Status != eval.Missing)
	}
	return nil
}

// mixClasses gives items in a random order in which all classes have their turn.
func mixClasses(all []alignment.Labelled, rng *rand.Rand) (out []alignment.Labelled) {
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

// NewRunner gives what asks for what is due, once what the judge has read by its own name
// is kept as the candidate's.
func (t *TuningJob) NewRunner(ctx context.Context, e Effort) (*engine.Runner, error) {
	if err := t.keepOwn(ctx); err != nil {
		return nil, err
	}
	return t.singleCalls.NewRunner(ctx, e)
}

// keepOwn keeps what the judge has read by its own name as the candidate's.
func (t *TuningJob) keepOwn(ctx context.Context) error {
	for _, f := range t.own {
		if err := t.Factory.Store.Judgments().RecordJudgment(ctx, f, false); err != nil {
			return err
		}
	}
	t.own = nil
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
// at the held-out part was saved, and keeps that somebody did. It gives the copy, and what
// was seen at that look.
func (t *TuningJob) Promote(ctx context.Context, by annotate.Annotator) (file string, agreement stat.Rate, err error) {
	saved, err := facts.Source{Store: t.Factory.Store}.SavedReports(t.order.Queue)
	if err != nil {
		return "", agreement, err
	}
	if agreement, err = alignment.FindLook(saved, t.Name()); errors.Is(err, eval.ErrNotFound) {
		return "", agreement, fmt.Errorf("%w: have the held-out part read (--part held-out), and then: %s", err, t.LookCommand())
	} else if err != nil {
		return "", agreement, err
	}
	path := filepath.Join(filepath.Dir(t.Factory.Path), config.ProjectFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", agreement, fmt.Errorf("read config: %w", err)
	}
	name := t.promptFile()
	text, err := config.SetPrompt(old, t.order.Template+config.OfJudge+t.order.Judge, filepath.ToSlash(name))
	if err != nil {
		return "", agreement, err
	}
	if err := t.KeepPrompt(); err != nil {
		return "", agreement, err
	}
	if err := writeBeside(t.Factory, path, string(text)); err != nil {
		return "", agreement, err
	}
	promoted := annotate.SavedReport{Name: annotate.Promotion, Policy: t.order.Template + config.OfJudge + t.order.Judge + " is " + filepath.ToSlash(name), By: by, At: t.Factory.Now(), Build: eval.ThisBuild().String()}
	promoted.Rows, err = json.Marshal([]map[string]any{{"queue": t.order.Queue, "judge": t.order.Judge, "candidate": t.Name(), "prompts": t.setup.Prompts, "alignment": agreement}})
	if err == nil {
		_, err = t.Factory.Store.Reports().SaveReport(ctx, promoted)
	}
	return name, agreement, err
}

// promptFolder is where prompts that were written stand, beside the project.
const promptFolder = "prompts"

func (t *TuningJob) promptFile() string {
	return filepath.Join(promptFolder, text.Outside(t.Name()).ForFileName()+".txt")
}

// KeepPrompt keeps the prompt in a file beside the project, by the candidate's name.
func (t *TuningJob) KeepPrompt() error {
	return writeBeside(t.Factory, filepath.Join(filepath.Dir(t.Factory.Path), t.promptFile()), t.order.Prompt)
}

// writeBeside writes a file beside the project.
func writeBeside(l *Factory, path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	out, err := cli.CreateOut(path, l.Path)
	if err != nil {
		return err
	}
	_, err = out.WriteString(content)
	return eval.WrapError(out.Finish(err), "write %s", path)
}

package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	"concord/eval/prompt"
	"concord/eval/stat"
	"concord/eval/text"
)

// TuningOrder is a prompt by which a judge is to say of a part of what people have
// labelled in a queue what they say.
type TuningOrder struct {
	Queue    annotate.QueueName
	Judge    string
	Template string // that Prompt stands for; "": the first by which judges are asked about the queue's items
	Prompt   string // "": the judge's of now
	Part     alignment.Part
	Failed   bool // what failed is asked again
}

// Options are those of a report on what people and judges say of the part.
func (o *TuningOrder) Options() alignment.Options {
	return alignment.Options{Queue: o.Queue, Part: o.Part, Judge: o.Judge}
}

// TuningJob is an order made out. What is said is that of a judge of its own, which has
// the name of the candidate: what was asked once is found there.
type TuningJob struct {
	triedJob
	order TuningOrder
	drawn int // examples that were filled into the prompt

	templates []string // that can be tried on the queue
}

// Name is the candidate's name.
func (t *TuningJob) Name() string { return t.config().setup.Judge }

// CountPending is how much is still to be asked.
func (t *TuningJob) CountPending() int { return t.tally().CountPending() }

// NewTuningJob makes an order out. Nothing is asked, and nothing is stored.
func NewTuningJob(ctx context.Context, l *Factory, o *TuningOrder) (*TuningJob, error) {
	read := facts.NewSource(l.Store)
	q, err := read.Queue(o.Queue)
	if err != nil {
		return nil, err
	}
	labelled, err := alignment.ListLabelledItems(ctx, read, o.Options())
	if err != nil {
		return nil, err
	}
	if len(labelled) == 0 {
		return nil, fmt.Errorf("queue %s has no item of the %s part on which people agree: label some first (concord review)", o.Queue, o.Part)
	}
	t := &TuningJob{order: *o}
	if t.templates, err = listTriedTemplates(ctx, l, &q, labelled); err != nil {
		return nil, err
	}
	templates, named := t.templates, prompt.ParseHeaderName(o.Prompt)
	t.order.Template = cmp.Or(o.Template, eval.Either(slices.Contains(templates, named), named, templates[0]))
	if name, _, _ := strings.Cut(t.order.Template, "/"); !slices.Contains(templates, name) {
		return nil, fmt.Errorf("judges are asked about the items of queue %s by %s, not by %s", o.Queue, strings.Join(templates, " or "), t.order.Template)
	}
	set, err := l.Prompts.LoadTemplates(o.Judge)
	if err != nil {
		return nil, err
	}
	if texts := set.Texts(t.order.Template); o.Prompt == "" && len(texts) > 0 {
		t.order.Prompt = texts[0].Text
	}
	if err := t.fillPromptExamples(ctx, l, &q); err != nil {
		return nil, err
	}
	shown := prompt.ExampleSamples(t.order.Prompt)
	labelled = slices.DeleteFunc(labelled, func(i alignment.Labelled) bool { return slices.Contains(shown, i.Sample) })
	tried := &trial{template: t.order.Template, prompt: t.order.Prompt, items: make(map[annotate.ItemKey]map[string]bool)}
	for _, i := range labelled {
		eval.GetOrAdd(tried.items, i.Item, func() map[string]bool { return make(map[string]bool) })[i.Criterion] = true
	}
	tries := &Factory{
		Project: l.Project, Store: l.Store, Conf: l.Conf, Models: l.Models, Prompts: l.Prompts, Evidence: l.Evidence, runs: l.runs, Watched: l.Watched, base: l.base,
		Datasets: DatasetCache{Store: l.Store, facts: make(map[eval.DatasetName]datasetFacts)}, trial: tried,
	}
	t.triedJob, err = newTriedJob(ctx, tries, &q, o)
	return t, err
}

// CountDrawnExamples is how many examples were filled into the prompt.
func (t *TuningJob) CountDrawnExamples() int { return t.drawn }

// PromptFile is where KeepPrompt keeps the prompt, beside the project.
func (t *TuningJob) PromptFile() string { return t.promptPath() }

// printSummary says what became of the order; figures are the caller's.
func (t *TuningJob) printSummary(p eval.Progress, ended error) error {
	l := t.config().Factory
	out, s := l.Out, newJobSummary(p, ended, t.tally(), nil)
	if l.JSON {
		out = l.Err
	}
	_, err := fmt.Fprintf(out, "%s, %s part of queue %s: %s\n%s%s", cli.EscapeControls(t.Name()), t.order.Part, cli.EscapeControls(string(t.order.Queue)), s.formatDone(t.factName()), s.formatCalls("answer"), s.formatSpent())
	return err
}

// HeldOutCommand is the command that looks at the held-out part with the prompt.
func (t *TuningJob) HeldOutCommand() string {
	return fmt.Sprintf("concord report alignment --queue %s --part held-out --judge %s --save", cli.QuoteForShell(string(t.order.Queue)), cli.QuoteForShell(t.Name()))
}

// MakePromptJudges makes the prompt the judge's in concord.toml, from a copy beside it, once a look at the held-out
// part was saved, and keeps that somebody did. It gives the copy, and what was seen at that look.
func (t *TuningJob) MakePromptJudges(ctx context.Context, by annotate.Annotator) (file string, agreement stat.Rate, err error) {
	l := t.config().Factory
	looks, err := alignment.MeasureHeldOutLooks(ctx, facts.NewSource(l.Store), t.order.Options())
	if err != nil {
		return "", agreement, err
	}
	held := t.order
	held.Part = alignment.HeldOut
	all, err := NewTuningJob(ctx, l, &held)
	if err != nil {
		return "", agreement, err
	}
	if agreement = looks[t.Name()].Agreement; agreement.N == 0 || all.CountPending() > 0 {
		return "", agreement, fmt.Errorf("no look at the whole held-out part is saved with %s: have it read (--part held-out), and then: %s", t.Name(), t.HeldOutCommand())
	}
	path := filepath.Join(filepath.Dir(l.Path), config.ProjectFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", agreement, fmt.Errorf("read config: %w", err)
	}
	name := t.promptPath()
	text, err := config.SetPromptLine(old, t.order.Template+config.OfJudge+t.order.Judge, filepath.ToSlash(name))
	if err != nil {
		return "", agreement, err
	}
	if err := t.WritePromptFile(); err != nil {
		return "", agreement, err
	}
	if err := writeBesideProject(l, path, string(text)); err != nil {
		return "", agreement, err
	}
	promoted := annotate.SavedReport{Name: annotate.Promotion, Policy: t.order.Template + config.OfJudge + t.order.Judge + " is " + filepath.ToSlash(name) + ", by queue " + string(t.order.Queue), By: by, At: l.Now(), Build: eval.ThisBuild().String()}
	promoted.Rows, err = json.Marshal([]map[string]any{{"queue": t.order.Queue, "judge": t.order.Judge, "candidate": t.Name(), "prompts": t.config().setup.Prompts, "alignment": agreement}})
	if err == nil {
		_, err = l.Store.Reports().SaveReport(ctx, promoted)
	}
	return name, agreement, err
}

// promptFolder is where prompts that were written stand, beside the project.
const promptFolder = "prompts"

func (t *TuningJob) promptPath() string {
	return filepath.Join(promptFolder, text.Outside(t.Name()).ForFileName()+".txt")
}

// WritePromptFile keeps the prompt in a file beside the project, by the candidate's name.
func (t *TuningJob) WritePromptFile() error {
	l := t.config().Factory
	return writeBesideProject(l, filepath.Join(filepath.Dir(l.Path), t.promptPath()), t.order.Prompt)
}

// writeBesideProject writes a file beside the project.
func writeBesideProject(l *Factory, path, content string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	out, err := cli.CreateOutFile(path, l.Path)
	if err != nil {
		return err
	}
	_, err = out.WriteString(content)
	return eval.WrapError(out.CommitOrRemove(err), "write %s", path)
}

package view

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/draw"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/extract"
	"concord/store"
	"concord/tui"
	"concord/tui/newqueue"
)

// NewQueue draws queues for the screen, by what queue create does.
type NewQueue struct {
	Project *project.Project
	Store   *store.Store

	Made func() // called when a queue to label was made; nil: nobody needs to know
}

var (
	_ newqueue.Source = NewQueue{}
	_ tui.Pairer      = NewQueue{}
)

// FormFields are the datasets on which two models or more have answered.
func (e NewQueue) FormFields(context.Context) ([]tui.Field, error) {
	all, err := e.Store.Datasets().List()
	if err != nil {
		return nil, err
	}
	var out []tui.Field
	for i := range all {
		on, err := facts.NewRunSet(e.Store, all[i].Name, nil)
		switch {
		case errors.Is(err, eval.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		}
		if models := on.ModelsToCompare(); len(models) > 1 {
			names := eval.Map(facts.NameContenders(on.Runs), func(c facts.Contender) string { return c.Name })
			out = append(out, tui.Field{Dataset: all[i].Name, Models: names})
		}
	}
	return out, nil
}

// nameRunsInFlags has the flags name the runs that the form took in.
func nameRunsInFlags(f *draw.Options, on *facts.RunSet, o tui.PairOrder) error {
	all := facts.NameContenders(on.Runs)
	taken := make(map[string]bool)
	take := func(name string) (string, error) {
		i := slices.IndexFunc(all, func(c facts.Contender) bool { return c.Name == name })
		if i < 0 {
			return name, nil // on.run says what there is
		}
		model := all[i].Run.Config.Model
		if taken[model] {
			return "", fmt.Errorf("two runs of %s are taken: a queue compares different models", model)
		}
		taken[model] = true
		if all[i].Several {
			f.Runs = append(f.Runs, uint(all[i].Run.ID))
		}
		return model, nil
	}
	var err error
	if o.Anchor != "" {
		if f.Anchor, err = take(o.Anchor); err != nil {
			return err
		}
	}
	for _, name := range o.Models {
		if name == o.Anchor {
			continue
		}
		model, err := take(name)
		if err != nil {
			return err
		}
		f.Models = append(f.Models, model)
	}
	if i := slices.IndexFunc(all, func(c facts.Contender) bool { return c.Several }); len(o.Models) == 0 && i >= 0 {
		return fmt.Errorf("%s has several runs: take in the models to compare, and one run of each", all[i].Run.Config.Model)
	}
	return nil
}

// DrawPairQueue draws a queue; what the command would print is said.
func (e NewQueue) DrawPairQueue(ctx context.Context, o tui.PairOrder) (string, error) {
	f := draw.Options{Dataset: string(o.Dataset), From: "pairs", Sample: o.Sample, Per: o.Per, By: string(o.By), Overlap: o.Overlap, Seed: 1, Criteria: o.Criteria}
	on, err := facts.NewRunSet(e.Store, o.Dataset, nil)
	if err != nil {
		return "", err
	}
	if err := nameRunsInFlags(&f, on, o); err != nil {
		return "", err
	}
	q, err := f.NewUndrawnQueue(string(o.Name), e.Project.Now(), cli.ReadBoundedFile)
	if err != nil {
		return "", err
	}
	a, said, warned := e.projectWithCapturedOutput()
	if err := draw.CreateDrawnPairs(ctx, a, e.Store, q, &f); err != nil {
		return "", err
	}
	out, _, _ := strings.Cut(said.String(), ". Vote on them with")
	if w := strings.TrimSpace(strings.TrimPrefix(warned.String(), "concord: ")); w != "" {
		out += "; " + w
	}
	return strings.TrimSpace(out), nil
}

// LoadFormChoices loads the datasets that have runs, and the names that queues have.
func (e NewQueue) LoadFormChoices(context.Context) (out newqueue.Stock, err error) {
	all, err := e.Store.Runs().List()
	if err != nil {
		return out, err
	}
	on := make(map[eval.DatasetName]*facts.RunSet)
	var names []eval.DatasetName
	for _, r := range all {
		d := r.Config.Dataset
		if on[d] == nil {
			on[d] = &facts.RunSet{Dataset: d}
			names = append(names, d)
		}
		on[d].Runs = append(on[d].Runs, r)
	}
	for _, d := range names {
		runs := eval.Map(facts.NameContenders(on[d].Runs), func(c facts.Contender) newqueue.Run { return newqueue.Run{ID: c.Run.ID, Name: c.Name} })
		out.Pools = append(out.Pools, newqueue.DatasetPool{Dataset: d, Runs: runs})
	}
	queues, err := e.Store.Queues().List()
	out.Taken = eval.Map(queues, func(q annotate.Queue) annotate.QueueName { return q.Name })
	return out, err
}

// drawOptionsOfOrder makes what the order would be on the command line.
func (e NewQueue) drawOptionsOfOrder(o newqueue.Order) (*draw.Options, annotate.Queue, error) {
	f := &draw.Options{
		Dataset: string(o.Dataset), From: o.From.String(), Sample: o.Sample, Rules: extract.Default,
		Overlap: o.Overlap, Seed: 1, Guideline: o.Guideline, By: cmp.Or(string(o.By), project.DefaultUserName()),
	}
	if o.Run != 0 {
		f.Runs = []uint{uint(o.Run)}
	}
	q, err := f.NewUndrawnQueue(string(o.Name), e.Project.Now(), cli.ReadBoundedFile)
	return f, q, err
}

// projectWithCapturedOutput is the app with what it says caught.
func (e NewQueue) projectWithCapturedOutput() (a *project.Project, said, warned *bytes.Buffer) {
	said, warned = new(bytes.Buffer), new(bytes.Buffer)
	quiet := *e.Project
	quiet.JSON, quiet.Out, quiet.Err = false, said, warned
	return &quiet, said, warned
}

// PreviewDraw is what an order would draw now.
func (e NewQueue) PreviewDraw(ctx context.Context, o newqueue.Order) (newqueue.Drawn, error) {
	o.Guideline = "" // its file is read when the queue is made
	f, q, err := e.drawOptionsOfOrder(o)
	if err != nil {
		return newqueue.Drawn{}, err
	}
	a, _, warned := e.projectWithCapturedOutput()
	d, err := draw.ChooseItemsOfQueue(ctx, a, e.Store, &q, f)
	return newqueue.Drawn{Items: d.Drawn, Population: q.Population, Growing: q.Growing, Note: joinWarningLines(warned)}, err
}

// joinWarningLines gives what a command warned of, without its name.
func joinWarningLines(warned *bytes.Buffer) string {
	var out []string
	for l := range strings.Lines(warned.String()) {
		out = append(out, strings.TrimSpace(strings.TrimPrefix(l, "concord: ")))
	}
	return strings.Join(out, "; ")
}

// CreateQueue draws the queue; what the command would print is said.
func (e NewQueue) CreateQueue(ctx context.Context, o newqueue.Order) (string, error) {
	f, q, err := e.drawOptionsOfOrder(o)
	if err != nil {
		return "", err
	}
	a, said, _ := e.projectWithCapturedOutput()
	if err := draw.CreateDrawnQueue(ctx, a, e.Store, q, f); err != nil {
		return "", err
	}
	if e.Made != nil {
		e.Made()
	}
	out, _, _ := strings.Cut(said.String(), ". Label them with")
	return strings.TrimSpace(out), nil
}

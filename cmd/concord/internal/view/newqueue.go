package view

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/draw"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/extract"
	"concord/store"
	"concord/tui/newqueue"
)

// NewQueue draws queues to label for the screen, by what queue create does.
type NewQueue struct {
	Project *project.Project
	Store   *store.Store

	Made func() // called when a queue was made; nil: nobody needs to know
}

var _ newqueue.Source = NewQueue{}

// Stock are the datasets that have runs, and the names that queues have.
func (e NewQueue) Stock(context.Context) (out newqueue.Stock, err error) {
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
		p := newqueue.Pool{Dataset: d}
		for _, c := range contenders(on[d]) {
			p.Runs = append(p.Runs, newqueue.Run{ID: c.run.ID, Name: c.name})
		}
		out.Pools = append(out.Pools, p)
	}
	queues, err := e.Store.Queues().List()
	for _, q := range queues {
		out.Taken = append(out.Taken, q.Name)
	}
	return out, err
}

// flags are what the order would be on the command line.
func (e NewQueue) flags(o newqueue.Order) (*draw.Options, annotate.Queue, error) {
	f := &draw.Options{
		Dataset: string(o.Dataset), From: o.From.String(), Sample: o.Sample, Rules: extract.Default,
		Overlap: o.Overlap, Seed: 1, Guideline: o.Guideline, By: cmp.Or(string(o.By), project.UserName()),
	}
	if o.Run != 0 {
		f.Runs = []uint{uint(o.Run)}
	}
	q, err := f.Queue(string(o.Name), e.Project.Now(), cli.ReadFile)
	return f, q, err
}

// quiet is the app with what it says caught.
func (e NewQueue) quiet() (a *project.Project, said, warned *bytes.Buffer) {
	said, warned = new(bytes.Buffer), new(bytes.Buffer)
	quiet := *e.Project
	quiet.JSON, quiet.Out, quiet.Err = false, said, warned
	return &quiet, said, warned
}

// Preview is what an order would draw now.
func (e NewQueue) Preview(ctx context.Context, o newqueue.Order) (newqueue.Drawn, error) {
	o.Guideline = "" // its file is read when the queue is made
	f, q, err := e.flags(o)
	if err != nil {
		return newqueue.Drawn{}, err
	}
	a, _, warned := e.quiet()
	d, err := draw.Draw(ctx, a, e.Store, &q, f)
	if err != nil {
		return newqueue.Drawn{}, err
	}
	return newqueue.Drawn{Items: d.Drawn, Population: q.Population, Growing: q.Growing, Note: caution(warned)}, nil
}

// caution is what a command warned of, without its name.
func caution(warned *bytes.Buffer) string {
	var out []string
	for l := range strings.Lines(warned.String()) {
		out = append(out, strings.TrimSpace(strings.TrimPrefix(l, "concord: ")))
	}
	return strings.Join(out, "; ")
}

// Make draws the queue; what the command would print is said.
func (e NewQueue) Make(ctx context.Context, o newqueue.Order) (string, error) {
	f, q, err := e.flags(o)
	if err != nil {
		return "", err
	}
	a, said, _ := e.quiet()
	if err := draw.CreateQueue(ctx, a, e.Store, q, f); err != nil {
		return "", err
	}
	if e.Made != nil {
		e.Made()
	}
	out, _, _ := strings.Cut(said.String(), ". Label them with")
	return strings.TrimSpace(out), nil
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"strings"

	"concord/annotate"
	"concord/eval"
	"concord/eval/extract"
	"concord/store"
	"concord/tui/newqueue"
)

// enroller draws queues to label for the screen, by what queue create does.
type enroller struct {
	app *app
	st  *store.Store

	made func() // called when a queue was made; nil: nobody needs to know
}

var _ newqueue.Source = enroller{}

// Stock are the datasets that have runs, and the names that queues have.
func (e enroller) Stock(context.Context) (out newqueue.Stock, err error) {
	all, err := e.st.Runs().List()
	if err != nil {
		return out, err
	}
	on := make(map[eval.DatasetName]*field)
	var names []eval.DatasetName
	for _, r := range all {
		d := r.Config.Dataset
		if on[d] == nil {
			on[d] = &field{dataset: d}
			names = append(names, d)
		}
		on[d].runs = append(on[d].runs, r)
	}
	for _, d := range names {
		p := newqueue.Pool{Dataset: d}
		for _, c := range contenders(on[d]) {
			p.Runs = append(p.Runs, newqueue.Run{ID: c.run.ID, Name: c.name})
		}
		out.Pools = append(out.Pools, p)
	}
	queues, err := e.st.Queues().List()
	for _, q := range queues {
		out.Taken = append(out.Taken, q.Name)
	}
	return out, err
}

// flags are what the order would be on the command line.
func (e enroller) flags(o newqueue.Order) (*queueFlags, annotate.Queue, error) {
	f := &queueFlags{
		dataset: string(o.Dataset), from: o.From.String(), sample: o.Sample, rules: extract.Default,
		overlap: o.Overlap, seed: 1, guideline: o.Guideline, by: cmp.Or(string(o.By), userName()),
	}
	if o.Run != 0 {
		f.runs = []uint{uint(o.Run)}
	}
	q, err := f.queue(string(o.Name), e.app.now(), readFile)
	return f, q, err
}

// quiet is the app with what it says caught.
func (e enroller) quiet() (a *app, said, warned *bytes.Buffer) {
	said, warned = new(bytes.Buffer), new(bytes.Buffer)
	quiet := *e.app
	quiet.json, quiet.out, quiet.err = false, said, warned
	return &quiet, said, warned
}

// Preview is what an order would draw now.
func (e enroller) Preview(ctx context.Context, o newqueue.Order) (newqueue.Drawn, error) {
	o.Guideline = "" // its file is read when the queue is made
	f, q, err := e.flags(o)
	if err != nil {
		return newqueue.Drawn{}, err
	}
	a, _, warned := e.quiet()
	d, err := drawQueue(ctx, a, e.st, &q, f)
	if err != nil {
		return newqueue.Drawn{}, err
	}
	return newqueue.Drawn{Items: d.drawn, Population: q.Population, Growing: q.Growing, Note: caution(warned)}, nil
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
func (e enroller) Make(ctx context.Context, o newqueue.Order) (string, error) {
	f, q, err := e.flags(o)
	if err != nil {
		return "", err
	}
	a, said, _ := e.quiet()
	if err := createQueue(ctx, a, e.st, q, f); err != nil {
		return "", err
	}
	if e.made != nil {
		e.made()
	}
	out, _, _ := strings.Cut(said.String(), ". Label them with")
	return strings.TrimSpace(out), nil
}

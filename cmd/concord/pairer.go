package main

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"concord/eval"
	"concord/store"
	"concord/tui"
)

// pairer makes queues of pairs from the screen, by what queue create does.
type pairer struct {
	app *app
	st  *store.Store
}

var _ tui.Pairer = pairer{}

// Fields are the datasets on which two models or more have answered.
func (p pairer) Fields(context.Context) ([]tui.Field, error) {
	all, err := p.st.Datasets().List()
	if err != nil {
		return nil, err
	}
	var out []tui.Field
	for i := range all {
		on, err := newField(p.st, all[i].Name, nil)
		switch {
		case errors.Is(err, eval.ErrNotFound):
			continue
		case err != nil:
			return nil, err
		}
		if models := on.models(); len(models) > 1 {
			out = append(out, tui.Field{Dataset: all[i].Name, Models: models})
		}
	}
	return out, nil
}

// MakePairs draws a queue; what the command would print is said.
func (p pairer) MakePairs(ctx context.Context, o tui.PairOrder) (string, error) {
	f := queueFlags{
		dataset: string(o.Dataset), from: "pairs", sample: o.Sample, per: o.Per, anchor: o.Anchor, by: string(o.By),
		models: o.Models, overlap: o.Overlap, seed: 1, criteria: o.Criteria,
	}
	q, err := f.queue(string(o.Name))
	if err != nil {
		return "", err
	}
	var said, warned bytes.Buffer
	quiet := *p.app
	quiet.json, quiet.out, quiet.err = false, &said, &warned
	if err := quiet.createPairs(ctx, p.st, q, &f); err != nil {
		return "", err
	}
	out, _, _ := strings.Cut(said.String(), ". Vote on them with")
	if w := strings.TrimSpace(strings.TrimPrefix(warned.String(), "concord: ")); w != "" {
		out += "; " + w
	}
	return strings.TrimSpace(out), nil
}

package tui

import (
	"context"
	"io"
	"iter"
	"strings"
	"testing"

	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/eval"
)

// The project as pages of tables read it.

func (p *project) Dataset(n eval.DatasetName) (eval.Dataset, error) {
	return eval.Dataset{Name: n, Samples: len(p.samples), Complete: true, Synthetic: true}, nil
}

func (p *project) Samples(context.Context, eval.DatasetName) iter.Seq2[eval.Sample, error] {
	return func(yield func(eval.Sample, error) bool) {
		for _, s := range p.samples {
			if !yield(s, nil) {
				return
			}
		}
	}
}

func (p *project) Picture(eval.PictureHash) ([]byte, error) { return nil, io.EOF }

func (p *project) CurationActs(context.Context, eval.DatasetName) iter.Seq2[curation.Act, error] {
	return func(func(curation.Act, error) bool) {}
}

func (p *project) Inspections() ([]curation.Inspection, error) { return nil, nil }

func (p *project) Panel(eval.DatasetName) (curation.Panel, error) {
	return curation.Panel{Experts: 1}, nil
}

func (p *project) Curation(ctx context.Context, d eval.DatasetName) (report.Report, error) {
	return report.Curation(ctx, p, report.CurationOptions{Dataset: d})
}

func (p *project) Card(model string) (eval.Card, bool) {
	return eval.Card{Model: model, Parameters: 7, LanguageBase: "lm"}, model == "otter-7b"
}

// TestTableFrames holds the look of pages of tables, and of the list of all
// figures.
func TestTableFrames(t *testing.T) {
	find := func(word string, more ...string) []string {
		return append(append(append([]string{"a", "/"}, strings.Split(word, "")...), "enter"), more...)
	}
	frames(t, demo, []scene{
		{"find", "ada", []string{"a", "/", "g"}},
		{"abilities", "ada", find("abil", "down", "down", "right", "right")},
		{"positions", "ada", find("posi", "G")},
		{"no-mme", "ada", find("mme")},
	})
}

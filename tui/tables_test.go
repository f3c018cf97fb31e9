package tui

import (
	"context"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"concord/annotate/curation"
	"concord/annotate/report"
	"concord/annotate/report/quality"
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
	return quality.ReportCuration(ctx, p, quality.CurationOptions{Dataset: d})
}

func (p *project) ModelCard(model string) (eval.Card, bool) {
	return eval.Card{Model: model, Parameters: 7, LanguageBase: "lm"}, model == "otter-7b"
}

// TestTableFrames holds the look of pages of tables, and of the list of all
// figures.
func TestTableFrames(t *testing.T) {
	frames(t, demo, []scene{
		{"find", "ada", []string{"a", "/", "g"}},
		{"abilities", "ada", toReport("abil", "down", "down", "right", "right")},
		{"positions", "ada", toReport("posi", "G")},
		{"distribution", "ada", toReport("posi", "B", "down")},
		{"no-mme", "ada", toReport("mme")},
	})
}

// A figure of every page opens as many samples as it counts; what is about
// samples and no run opens these alone.
func TestCellsOpenTheirSamples(t *testing.T) { bubble(t, cellsOpenTheirSamples) }

func cellsOpenTheirSamples(t *testing.T) {
	check := func(page, keys, want string) {
		t.Helper()
		a := newApp(t, demo(), theme(termenv.Ascii, true), "")
		a.person.setAnnotator("ada")
		a.size(120, 40)
		a.press("a", "/")
		a.press(strings.Split(page, "")...)
		a.press("enter")
		a.press(strings.Fields(keys)...)
		a.press("enter")
		if v := a.View(); !strings.Contains(v, want) {
			t.Errorf("%s: no %q in\n%s", page, want, v)
		}
		a.fits()
	}
	check("circular", "", "vanilla · run 1")
	check("abilities", "down down down", "[all]  right   wrong")
	check("positions", "", "[read as A]")
	check("baselines", "down", "[all]  right   wrong")
	check("gain", "", "[all]  right   wrong")
	check("curation", "", "[samples]")
	check("dataset", "", "Which shape is left of the circle in image 0?")
}

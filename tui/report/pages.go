package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	figures "concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/quality"
	"concord/eval"
)

// page is a report that is shown as its tables, whatever they are of. The
// report says what is behind each of their cells.
type page struct {
	name    string
	command string   // that prints it
	more    string   // of its flags that no key sets
	layouts []layout // one after the other by a key; nil: there is one
	samples bool     // it is about datasets, and not about runs
	single  bool     // about one dataset at a time
	empty   string   // what to run for it
	build   func(context.Context, Source, figures.Options) (figures.Report, error)
}

// layout is one of several ways to make a report.
type layout struct {
	name string // of the flags that the command takes
	set  func(*figures.Options)
}

// pages are those after the other figures.
func pages() []page {
	return []page{
		{name: "Circular", command: "circular", more: "--rules, --judge, --by-split", empty: noCircular, build: ofKind(catalogue.Circular())},
		{name: "Abilities", command: "abilities", more: "--strategy, --rules, --judge, --by-split, --chart", empty: noAbilities, layouts: levels(), build: ofKind(catalogue.Abilities())},
		{name: "Positions", command: "positions", more: "--rules, --judge, --by-split", empty: noRuns, build: ofKind(catalogue.Positions())},
		{name: "Compare", command: "compare", more: "--model, --against, --run, --detect, --rules-of", empty: noPairs, layouts: levels(), build: ofKind(catalogue.Compare())},
		{name: "Leaderboard", command: "leaderboard", more: "--run, --rules, --judge", empty: noPairs, layouts: strategies(), build: ofKind(catalogue.Leaderboard())},
		{name: "Baselines", command: "baselines", more: "--rules, --judge, --by-split", empty: noRuns, build: ofKind(catalogue.Baselines())},
		{name: "MME", command: "mme", more: "--rules, --judge, --by-split", empty: noMME, build: ofKind(catalogue.MME())},
		{name: "Text-only", command: "text-only", more: "--text-only RUN, which drops its right answers, --rules, --judge", empty: noText, layouts: []layout{
			{"", nil}, {"--by model", func(o *figures.Options) { o.ByModel = true }},
		}, build: ofKind(catalogue.TextOnly())},
		{name: "Gain", command: "gain", more: "--run, --shots, --grey, --split, --rules, --judge", empty: noGain, layouts: strategies(), build: ofKind(catalogue.Gain())},
		{name: "Leaks", command: "leaks", more: "--run, --shots, --grey, --rules, --judge", empty: noLeaks, layouts: strategies(), build: ofKind(catalogue.Leaks())},
		{name: "Inspectors", command: "inspectors", more: "--inspection, and other thresholds", samples: true, empty: noInspections, build: inspectors},
		{name: "Curation", command: "curation", more: "--inspection, --experts, --target", samples: true, single: true, empty: noDatasets, build: func(ctx context.Context, s Source, o figures.Options) (figures.Report, error) {
			return s.Curation(ctx, o.Dataset)
		}},
		{name: "Criteria", command: "criteria", more: "--quota", samples: true, empty: noCriteria, build: func(ctx context.Context, s Source, o figures.Options) (figures.Report, error) {
			return quality.Criteria(ctx, s, quality.CriteriaOptions{Dataset: o.Dataset, Progress: o.Progress})
		}},
		{name: "Dataset", command: "dataset", more: "--words, --top", samples: true, empty: noDatasets, build: func(ctx context.Context, s Source, o figures.Options) (figures.Report, error) {
			return quality.Datasets(ctx, s, quality.DatasetOptions{Dataset: o.Dataset, Progress: o.Progress})
		}},
	}
}

// ofKind makes a report of the catalogue.
func ofKind(k catalogue.Kind) func(context.Context, Source, figures.Options) (figures.Report, error) {
	return func(ctx context.Context, s Source, o figures.Options) (figures.Report, error) {
		return k.Build(ctx, s, o)
	}
}

// levels are how deep in the taxonomy a report goes.
func levels() []layout {
	out := []layout{{"", nil}}
	for n := 1; n <= 3; n++ {
		out = append(out, layout{fmt.Sprintf("--level l%d", n), func(o *figures.Options) { o.Level = n }})
	}
	return out
}

func strategies() []layout {
	out := []layout{{"", nil}}
	for _, s := range []eval.Strategy{eval.Vanilla, eval.Circular} {
		out = append(out, layout{"--strategy " + s.String(), func(o *figures.Options) { o.Strategy = s }})
	}
	return out
}

func inspectors(ctx context.Context, s Source, o figures.Options) (figures.Report, error) {
	return quality.Inspectors(ctx, s, quality.InspectorOptions{Dataset: o.Dataset, Panel: s.Panel})
}

const (
	noRuns     = "No runs yet. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports predictions:\n" + makeRuns
	makeRuns   = "  concord import predictions FILE --dataset N --model M\n  concord eval --dataset N --model M"
	noCircular = "No run under CircularEval yet. On the runs ({h}) {n@runs} asks one, and {i@runs} imports a file in the circular layout:\n" +
		"  concord eval --dataset N --model M --strategy circular\n  concord import predictions FILE --dataset N --model M"
	noPairs     = "It takes two runs of the same settings on a dataset. On the runs ({h}) {n@runs} asks a model, and {i@runs} imports predictions:\n" + makeRuns
	noAbilities = "No run on questions with a taxonomy yet. {h}, then {i@runs} imports the benchmark's own file, with its category columns, and {n@runs} asks a model:\n" +
		"  concord import dataset FILE\n  concord eval --dataset N --model M"
	noMME  = "No run on MME yet. {h}, then {i@runs} imports a file of the kit; its folder comes by\n  concord import predictions FOLDER --dataset mme --model M"
	noText = "No run without the picture yet. On the runs ({h}) {n@runs} asks one (given: text), and {i@runs} imports one:\n" +
		"  concord eval --dataset N --model M --modality text\n  concord import predictions FILE --dataset N --model M --modality text"
	noGain = "No run with the picture yet. Gain and leakage take one with it, one without, and one of the language base. On the runs ({h}) {n@runs} asks each (given: image, text, base), and {i@runs} imports it:\n" +
		"  concord eval --dataset N --model M\n  concord eval --dataset N --model M --modality text\n  concord eval --dataset N --model BASE --modality base"
	noLeaks = "No text-only run of a model whose language base the configuration names yet ([models.NAME] language_base = ...). On the runs ({h}) {n@runs} asks both (given: text, base):\n" +
		"  concord eval --dataset N --model M --modality text\n  concord eval --dataset N --model BASE --modality base"
	noInspections = "No inspection yet. It takes runs without the picture, which {n@runs} on the runs ({h}) asks (given: text), and then, in a shell, what of the pool they answer:\n" +
		"  concord eval --dataset N --model M --modality text\n  concord inspect POOL --dataset N --model M1,M2"
	noDatasets = "No dataset yet. {h}, then {i@runs} imports one:\n  concord import dataset FILE"
	noCriteria = "Nobody has written criteria yet. {b} goes to where they are written:\n" +
		"  concord criteria --dataset N"
)

// pageFigures are the tables of a page, as they were computed.
type pageFigures struct {
	sheets  []sheet
	notes   []string
	missing string // why there are none; "" when there are some
	at      time.Time
	stale   bool // facts have changed since
}

// pageState is where a reader is in a page.
type pageState struct {
	places []string // datasets; "" is all of them
	place  string
	layout int
	bars   bool // a column is drawn as bars
	by     map[pagePlace]*pageFigures
	spot
}

type pagePlace struct {
	dataset string
	layout  int
}

// allDatasets stands before the single ones, where a page is not about one.
const allDatasets = ""

// paging computes the figures of a page.
func paging(ctx context.Context, s Source, w *work, p *page, place string, at int, now func() time.Time) computed {
	out := computed{of: w, page: &pageFigures{at: now()}, layout: at}
	places, err := p.places(s)
	if err != nil {
		return computed{of: w, err: err}
	}
	if out.places = places; len(places) == 0 {
		return out
	}
	out.place = places[max(0, slices.Index(places, place))]
	o := figures.Options{Dataset: eval.DatasetName(out.place), Cards: s.Card, Progress: w.tell}
	if at < len(p.layouts) && p.layouts[at].set != nil {
		p.layouts[at].set(&o)
	}
	r, err := p.build(ctx, s, o)
	switch {
	case errors.Is(err, eval.ErrNotFound):
		out.page.missing = lacks(err)
		return out
	case err != nil:
		return computed{of: w, err: err}
	}
	out.page.sheets, out.page.notes = sheetsOf(r)
	return out
}

// places are the datasets that the page can be about.
func (p *page) places(s Source) ([]string, error) {
	var out []string
	if p.samples {
		all, err := s.Datasets()
		if err != nil {
			return nil, fmt.Errorf("list datasets: %w", err)
		}
		for _, d := range all {
			if d.Complete {
				out = append(out, string(d.Name))
			}
		}
	} else {
		all, err := s.Runs()
		if err != nil {
			return nil, fmt.Errorf("list runs: %w", err)
		}
		for _, r := range all {
			out = append(out, string(r.Config.Dataset))
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > 1 && !p.single {
		out = append([]string{allDatasets}, out...)
	}
	return out, nil
}

// lacks is what a report says that it could not find.
func lacks(err error) string {
	return strings.TrimPrefix(strings.TrimSuffix(err.Error(), ": "+eval.ErrNotFound.Error()), "find ")
}

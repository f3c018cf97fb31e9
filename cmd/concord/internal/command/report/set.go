package report

import (
	"context"
	"fmt"
	"strings"

	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/quality"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/curating"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/stat"
	"concord/eval/text"
	"concord/store"
)

// printed is a report of the set, under the name of its file.
type printed struct {
	name, title, command string
	build                func(context.Context) (report.Report, error)
}

// reportSet is everything that `concord report all` prints of a project, in the
// order of its index. What a project has nothing for says so when it is built.
func reportSet(ctx context.Context, a *project.Project, st *store.Store, only string) ([]printed, error) {
	s := setting{
		facts: facts.Source{Store: st}, only: only,
		runs: report.Options{Dataset: eval.DatasetName(only), Cards: project.Cards(a), Shared: &report.Shared{}},
	}
	s.add("dataset", "What the datasets hold", "dataset", func(ctx context.Context) (report.Report, error) {
		return quality.Datasets(ctx, criteriaFacts{st}, quality.DatasetOptions{Dataset: s.runs.Dataset})
	})
	s.kinds(catalogue.OfRuns(), s.add)
	if err := s.ofQueues(st); err != nil {
		return nil, err
	}
	s.kinds(catalogue.OfVotes(), s.add)
	s.add("criteria", "How far the criteria are", "criteria", func(ctx context.Context) (report.Report, error) {
		return quality.Criteria(ctx, criteriaFacts{st}, quality.CriteriaOptions{Dataset: s.runs.Dataset})
	})
	how := curating.NewSettings(a, curating.Flags{})
	s.add("inspectors", "What models answer without the picture, and the difficulty of the rest", "inspectors", func(ctx context.Context) (report.Report, error) {
		return quality.Inspectors(ctx, InspectionFacts{curating.Source{Store: st}}, quality.InspectorOptions{Dataset: s.runs.Dataset, Panel: how.Panel})
	})
	return s.out, s.ofCuration(ctx, st, how)
}

// setting is a set of reports that is being put together.
type setting struct {
	facts facts.Source
	only  string // the dataset that the set is about; "" for all
	runs  report.Options
	out   []printed
}

func (s *setting) put(name, title, command string, build func(context.Context) (report.Report, error)) {
	s.out = append(s.out, printed{name, title, "concord report " + command, build})
}

// add puts a report whose command names the dataset.
func (s *setting) add(name, title, command string, build func(context.Context) (report.Report, error)) {
	if s.only != "" {
		command += " --dataset " + cli.ShellWord(s.only)
	}
	s.put(name, title, command, build)
}

// kinds adds reports of the catalogue.
func (s *setting) kinds(all []catalogue.Kind, put func(name, title, command string, build func(context.Context) (report.Report, error))) {
	for _, k := range all {
		words := k.Command()
		for i := 2; i < len(words); i += 2 { // values of flags
			words[i] = cli.ShellWord(words[i])
		}
		put(k.Name, k.Title, strings.Join(words, " "), func(ctx context.Context) (report.Report, error) { return k.Build(ctx, s.facts, s.runs) })
	}
}

// ofCuration adds the report on each dataset of which experts have said
// anything.
func (s *setting) ofCuration(ctx context.Context, st *store.Store, how curating.Settings) error {
	all, err := curating.Curated(ctx, st, s.runs.Dataset)
	if err != nil {
		return fmt.Errorf("list curated datasets: %w", err)
	}
	for _, d := range all {
		name := "curation-" + text.Outside(string(d)).File()
		s.put(name, "What experts accept of "+string(d), "curation --dataset "+cli.ShellWord(string(d)), func(ctx context.Context) (report.Report, error) {
			return how.Report(ctx, st, d, agree.Bootstrap{Times: curating.Resamples, Seed: 1, Confidence: stat.Confidence})
		})
	}
	if len(all) == 0 {
		s.add("curation", "What experts accept", "curation", func(context.Context) (report.Report, error) {
			return report.Report{}, fmt.Errorf("find experts' verdicts (concord curate): %w", eval.ErrNotFound)
		})
	}
	return nil
}

// ofQueues adds the reports on each queue.
func (s *setting) ofQueues(st *store.Store) error {
	queues, err := st.Queues().List()
	if err != nil {
		return fmt.Errorf("list queues: %w", err)
	}
	none := true
	for _, q := range queues {
		if s.only != "" && q.Rule.Dataset != s.runs.Dataset {
			continue
		}
		s.kinds(catalogue.OfQueue(&q, text.Outside(string(q.Name)).File()), s.put)
		none = none && q.ForLabels() != nil
	}
	if none {
		s.put("alignment", "Alignment with people", "alignment --queue NAME", func(context.Context) (report.Report, error) {
			return report.Report{}, fmt.Errorf("find a queue of labels: %w", eval.ErrNotFound)
		})
	}
	return nil
}

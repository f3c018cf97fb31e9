package report

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/accuracy"
	"concord/annotate/report/alignment"
	"concord/annotate/report/catalogue"
	"concord/annotate/report/models"
	"concord/annotate/report/pairwise"
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
	s.ofRuns()
	if err := queueReports(st, s.runs.Dataset, s.put); err != nil {
		return nil, err
	}
	s.ofVotes()
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

// ofRuns adds the reports on runs.
func (s *setting) ofRuns() {
	one := func(name, title string, build runReporter) {
		s.add(name, title, name, func(ctx context.Context) (report.Report, error) { return build(ctx, s.facts, s.runs) })
	}
	one("accuracy", "Accuracy, vanilla and circular", accuracy.Accuracy)
	one("circular", "Vanilla beside circular accuracy", accuracy.Circular)
	one("abilities", "Models by ability", accuracy.Abilities)
	s.add("abilities-l3", "Models by the finest abilities", "abilities --level l3", func(ctx context.Context) (report.Report, error) {
		deep := s.runs
		deep.Level = 3
		return accuracy.Abilities(ctx, s.facts, deep)
	})
	one("steps", "What each step of the reading reads", accuracy.Steps)
	one("positions", "Which labels models pick", accuracy.Positions)
	one("text-only", "What models answer without the picture", accuracy.TextOnly)
	s.add("text-only-models", "Models beside their language base, without the picture and with it", "text-only --by model", func(ctx context.Context) (report.Report, error) {
		kin := s.runs
		kin.ByModel = true
		return accuracy.TextOnly(ctx, s.facts, kin)
	})
	one("compare", "Every two runs of the same settings", func(ctx context.Context, f report.Facts, o report.Options) (report.Report, error) {
		return models.Compare(ctx, f, models.Options{Runs: o})
	})
	one("leaderboard", "Models in their order", func(ctx context.Context, f report.Facts, o report.Options) (report.Report, error) {
		return models.Leaderboard(ctx, f, models.Options{Runs: o})
	})
	one("baselines", "Models beside answers at random", accuracy.Baselines)
	one("mme", "MME", accuracy.MME)
	one("gain", "Multi-modal gain and leakage", accuracy.Gains)
	one("leaks", "Samples that training turns right without the picture", accuracy.Leaks)
	one("scores", "Open answers: exact match beside scores", func(ctx context.Context, _ report.Facts, o report.Options) (report.Report, error) {
		return accuracy.Scores(ctx, s.facts, o)
	})
}

// ofVotes adds the reports on votes.
func (s *setting) ofVotes() {
	votes := pairwise.VoteOptions{Dataset: s.runs.Dataset}
	one := func(name, title string, build peopleReporter) {
		s.add(name, title, name, func(ctx context.Context) (report.Report, error) {
			return build(ctx, s.facts, pairwise.AgreementOptions{VoteOptions: votes})
		})
	}
	alone := func(name, title string, build func(context.Context, pairwise.VoteFacts, pairwise.VoteOptions) (report.Report, error)) {
		one(name, title, func(ctx context.Context, f pairwise.VoteFacts, o pairwise.AgreementOptions) (report.Report, error) {
			return build(ctx, f, o.VoteOptions)
		})
	}
	alone("votes", "Models against an anchor", pairwise.Votes)
	alone("bias", "What order and length do to votes", pairwise.Bias)
	s.add("leaderboard-votes", "Models in the order of the votes", "leaderboard --from votes", func(ctx context.Context) (report.Report, error) {
		return models.VoteBoard(ctx, s.facts, models.VotesOptions{Dataset: s.runs.Dataset})
	})
	one("agreement", "How far judges vote as people do", pairwise.Agreement)
	one("people", "How far people vote alike", pairwise.People)
	alone("repeats", "How much a judge varies", pairwise.Repeats)
	alone("ranks", "How alike rankings are", func(ctx context.Context, f pairwise.VoteFacts, o pairwise.VoteOptions) (report.Report, error) {
		return catalogue.Ranks(ctx, f, pairwise.RankOptions{Votes: o, Seed: 1}, s.runs)
	})
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

// queueReports are those of each queue: how its people work and, where they
// label, the alignment by their majority and by adjudicators' rulings, with the
// alignments that were saved.
func queueReports(st *store.Store, only eval.DatasetName, add func(name, title, command string, build func(context.Context) (report.Report, error))) error {
	queues, err := st.Queues().List()
	if err != nil {
		return fmt.Errorf("list queues: %w", err)
	}
	none := true
	for _, q := range queues {
		if only != "" && q.Rule.Dataset != only {
			continue
		}
		word, flag := text.Outside(string(q.Name)).File(), " --queue "+cli.ShellWord(string(q.Name))
		add("annotators-"+word, "How the people of queue "+string(q.Name)+" work", "annotators"+flag, func(ctx context.Context) (report.Report, error) {
			return alignment.Annotators(ctx, facts.Source{Store: st}, alignment.AnnotatorOptions{Queue: q.Name, Policy: annotate.Majority, Undecided: annotate.Dropped})
		})
		if q.ForLabels() != nil {
			continue
		}
		none = false
		add("calibrations-"+word, "How saved alignments on queue "+string(q.Name)+" moved", "calibrations"+flag, func(ctx context.Context) (report.Report, error) {
			return alignment.Calibrations(ctx, facts.Source{Store: st}, alignment.CalibrationOptions{Queue: q.Name})
		})
		for _, p := range []annotate.Policy{annotate.Majority, annotate.Adjudicated} {
			name, command := "alignment-"+word, "alignment"+flag
			if p == annotate.Adjudicated {
				name, command = name+"-adjudicated", command+" --policy adjudicated"
			}
			o := alignment.AlignmentOptions{Queue: q.Name, Policy: p}
			add(name, "Alignment with people on queue "+string(q.Name)+", "+p.String(), command, func(ctx context.Context) (report.Report, error) {
				return settled(ctx, st, o)
			})
		}
	}
	if none {
		add("alignment", "Alignment with people", "alignment --queue NAME", func(context.Context) (report.Report, error) {
			return report.Report{}, fmt.Errorf("find a queue of labels: %w", eval.ErrNotFound)
		})
	}
	return nil
}

// settled is the alignment on a queue; by adjudicators only where any has ruled.
func settled(ctx context.Context, st *store.Store, o alignment.AlignmentOptions) (report.Report, error) {
	r, err := alignment.Alignment(ctx, facts.Source{Store: st}, o)
	if err != nil || o.Policy != annotate.Adjudicated {
		return r, err
	}
	for _, row := range r.Rows {
		if al, ok := row.(*alignment.AlignmentRow); ok && al.Adjudicated != nil {
			return r, nil
		}
	}
	return report.Report{}, fmt.Errorf("find an adjudicator's ruling in queue %s: %w", o.Queue, eval.ErrNotFound)
}

// lacking is why a report cannot be printed of this project; "" of no error, and
// of one that is a failure.
func lacking(err error) string {
	if err == nil {
		return ""
	}
	if errors.Is(err, eval.ErrNotFound) || errors.Is(err, pairwise.ErrNoAnchor) || errors.Is(err, report.ErrNotRandom) {
		return strings.TrimSuffix(err.Error(), ": "+eval.ErrNotFound.Error())
	}
	return ""
}

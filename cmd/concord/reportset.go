package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/report"
	"concord/eval"
	"concord/store"
)

// printed is a report of the set, under the name of its file.
type printed struct {
	name, title, command string
	build                func(context.Context) (report.Report, error)
}

// reportSet is everything that `concord report all` prints of a project, in the
// order of its index. What a project has nothing for says so when it is built.
func (a *app) reportSet(st *store.Store, only string) ([]printed, error) {
	f, o := facts{st}, report.Options{Dataset: eval.DatasetName(only), Cards: a.cards()}
	votes := report.VoteOptions{Dataset: o.Dataset}
	var out []printed
	put := func(name, title, command string, build func(context.Context) (report.Report, error)) {
		out = append(out, printed{name, title, "concord report " + command, build})
	}
	add := func(name, title, command string, build func(context.Context) (report.Report, error)) {
		if only != "" {
			command += " --dataset " + shellWord(only)
		}
		put(name, title, command, build)
	}
	runs := func(name, title string, build runReporter) {
		add(name, title, name, func(ctx context.Context) (report.Report, error) { return build(ctx, f, o) })
	}
	polls := func(name, title string, build peopleReporter) {
		add(name, title, name, func(ctx context.Context) (report.Report, error) {
			return build(ctx, f, report.AgreementOptions{VoteOptions: votes})
		})
	}
	add("dataset", "What the datasets hold", "dataset", func(ctx context.Context) (report.Report, error) {
		return report.Datasets(ctx, criteriaFacts{st}, report.DatasetOptions{Dataset: o.Dataset})
	})
	runs("accuracy", "Accuracy, vanilla and circular", report.Accuracy)
	runs("circular", "Vanilla beside circular accuracy", report.Circular)
	runs("abilities", "Models by ability", report.Abilities)
	add("abilities-l3", "Models by the finest abilities", "abilities --level l3", func(ctx context.Context) (report.Report, error) {
		deep := o
		deep.Level = 3
		return report.Abilities(ctx, f, deep)
	})
	runs("steps", "What each step of the reading reads", report.Steps)
	runs("positions", "Which labels models pick", report.Positions)
	runs("text-only", "What models answer without the picture", report.TextOnly)
	runs("baselines", "Models beside answers at random", report.Baselines)
	runs("mme", "MME", report.MME)
	runs("gain", "Multi-modal gain and leakage", report.Gains)
	runs("scores", "Open answers: exact match beside scores", func(ctx context.Context, _ report.Facts, o report.Options) (report.Report, error) {
		return report.Scores(ctx, f, o)
	})
	if err := a.queueReports(st, o.Dataset, put); err != nil {
		return nil, err
	}
	polls("votes", "Models against an anchor", func(ctx context.Context, f report.VoteFacts, o report.AgreementOptions) (report.Report, error) {
		return report.Votes(ctx, f, o.VoteOptions)
	})
	polls("bias", "What order and length do to votes", func(ctx context.Context, f report.VoteFacts, o report.AgreementOptions) (report.Report, error) {
		return report.Bias(ctx, f, o.VoteOptions)
	})
	polls("agreement", "How far judges vote as people do", report.Agreement)
	polls("people", "How far people vote alike", report.People)
	polls("repeats", "How much a judge varies", func(ctx context.Context, f report.VoteFacts, o report.AgreementOptions) (report.Report, error) {
		return report.Repeats(ctx, f, o.VoteOptions)
	})
	polls("ranks", "How alike rankings are", func(ctx context.Context, f report.VoteFacts, o report.AgreementOptions) (report.Report, error) {
		return report.Ranks(ctx, f, report.RankOptions{Votes: o.VoteOptions, Seed: 1})
	})
	add("criteria", "How far the criteria are", "criteria", func(ctx context.Context) (report.Report, error) {
		return report.Criteria(ctx, criteriaFacts{st}, report.CriteriaOptions{Dataset: o.Dataset})
	})
	return out, nil
}

// queueReports are those of each queue: how its people work and, where they
// label, the alignment by their majority and by adjudicators' rulings, with the
// alignments that were saved.
func (a *app) queueReports(st *store.Store, only eval.DatasetName, add func(name, title, command string, build func(context.Context) (report.Report, error))) error {
	queues, err := st.Queues().List()
	if err != nil {
		return fmt.Errorf("list queues: %w", err)
	}
	none := true
	for _, q := range queues {
		if only != "" && q.Rule.Dataset != only {
			continue
		}
		word, flag := fileWord(string(q.Name)), " --queue "+shellWord(string(q.Name))
		add("annotators-"+word, "How the people of queue "+string(q.Name)+" work", "annotators"+flag, func(ctx context.Context) (report.Report, error) {
			return report.Annotators(ctx, facts{st}, report.AnnotatorOptions{Queue: q.Name, Policy: annotate.Majority, Undecided: annotate.Dropped})
		})
		if q.ForLabels() != nil {
			continue
		}
		none = false
		add("calibrations-"+word, "How saved alignments on queue "+string(q.Name)+" moved", "calibrations"+flag, func(ctx context.Context) (report.Report, error) {
			return report.Calibrations(ctx, facts{st}, report.CalibrationOptions{Queue: q.Name})
		})
		for _, p := range []annotate.Policy{annotate.Majority, annotate.Adjudicated} {
			name, command := "alignment-"+word, "alignment"+flag
			if p == annotate.Adjudicated {
				name, command = name+"-adjudicated", command+" --policy adjudicated"
			}
			o := report.AlignmentOptions{Queue: q.Name, Policy: p}
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
func settled(ctx context.Context, st *store.Store, o report.AlignmentOptions) (report.Report, error) {
	r, err := report.Alignment(ctx, facts{st}, o)
	if err != nil || o.Policy != annotate.Adjudicated {
		return r, err
	}
	for _, row := range r.Rows {
		if al, ok := row.(*report.AlignmentRow); ok && al.Adjudicated != nil {
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
	if errors.Is(err, eval.ErrNotFound) || errors.Is(err, report.ErrNoAnchor) || errors.Is(err, report.ErrNotRandom) {
		return strings.TrimSuffix(err.Error(), ": "+eval.ErrNotFound.Error())
	}
	return ""
}

// fileWord is a name as a part of a file's name: letters and digits of any
// script stay.
func fileWord(s string) string {
	out := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|. `, r) || r < 0x20 || r == 0x7f {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(s, "-"))
	const most = 80
	if r := []rune(out); len(r) > most {
		out = string(r[:most])
	}
	return out
}

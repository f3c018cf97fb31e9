package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/annotate/report/models"
	"concord/annotate/report/quality"
	"concord/eval"
	"concord/eval/text"
)

// newCompareKind is every two runs of the same settings, or two that are named.
func newCompareKind() Kind {
	return newKind("compare", OnRuns, func(a *Request) {
		var c models.Options
		var rulesOf []string
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			by := c
			by.Runs, by.Depth = o, o.Level
			return models.ReportComparison(ctx, f, by)
		}
		a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only runs on this dataset")
		a.AddFlag("model", wordValue(&c.First), "one side: a `model`, or the number of a run")
		a.AddFlag("against", wordValue(&c.Second), "the other side: a `model`, or the number of a run")
		a.addRunFlag()
		a.addReaderFlags()
		a.AddFlag("rules-of", wordsValue(&rulesOf), "rule set that reads one run, as `RUN=SET`")
		addStrategyFlag(a)
		makeLevelFlag("l1, l2 or l3: a row for each category at this level too")(a)
		addSplitFlag(a)
		addClusterFlag(a)
		a.addCorrectionFlags(&a.Options.Corrected, true)
		a.AddFlag("detect", floatValue(&c.Detect), "print how many samples find a difference of this many `points` with a chance of 80 %")
		a.addCheck(func() (err error) {
			switch {
			case c.Second != "" && c.First == "":
				return errors.New("--against takes --model, the other side")
			case !(c.Detect >= 0 && c.Detect < percent):
				return fmt.Errorf("--detect %v: want points between 0 and 100", c.Detect)
			}
			c.Detect /= percent
			c.Rules, err = parseRulesByRun(rulesOf)
			return err
		})
	})
}

// newLanguagesKind is each model on a dataset and on its translation.
func newLanguagesKind() Kind {
	return newKind("languages", OnRuns, func(a *Request) {
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			return models.ReportLanguages(ctx, f, models.Options{Runs: o, Depth: o.Level})
		}
		a.addFilterFlags()
		a.addReaderFlags()
		addStrategyFlag(a)
		makeLevelFlag("l1, l2 or l3: a row for each category at this level too")(a)
		addSplitFlag(a)
		addClusterFlag(a)
	})
}

func parseRulesByRun(all []string) (map[eval.RunID]string, error) {
	out := make(map[eval.RunID]string)
	for _, one := range all {
		run, set, ok := strings.Cut(one, "=")
		n, err := strconv.ParseUint(run, 10, 32)
		if !ok || err != nil {
			return nil, fmt.Errorf("--rules-of %q: want a run's number, =, and a rule set", one)
		}
		if err := requireKnownRules(set); err != nil {
			return nil, err
		}
		out[eval.RunID(n)] = set
	}
	return out, nil
}

// newLeaderboardKind is models in the order of their accuracy, or of votes.
func newLeaderboardKind() Kind {
	return newKind("leaderboard", OnRuns, func(a *Request) {
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			return models.ReportLeaderboard(ctx, f, models.Options{Runs: o})
		}
		from, people := "accuracy", false
		a.Options.Seed = 1
		a.addFilterFlags()
		a.AddFlag("from", wordValue(&from), "what models are ranked by: accuracy, or pairwise votes")
		a.AddFlag("people", boolValue(&people), "with --from votes: people's votes alone")
		a.AddFlag("seed", seedValue(&a.Options.Seed), "seed of the intervals")
		a.addReaderFlags()
		a.Flags[len(a.Flags)-1].Usage += "; with --from votes, whose votes rank"
		addStrategyFlag(a)
		addSplitFlag(a)
		addClusterFlag(a)
		a.addCheck(func() error {
			switch {
			case from != "votes" && (from != "accuracy" || people):
				return fmt.Errorf("--from %s: want accuracy or votes, and --people goes with votes", from)
			case people && a.Options.Judge != "":
				return errors.New("--people and --judge: whose votes are they")
			case from == "votes":
				if a.Cluster.Said = true; !a.isGiven("cluster") {
					a.Cluster.Field = "" // each its sample's
				}
				a.Of, a.Build = OnVotes, buildLeaderboardByVotes(people, a.Cluster.Field != "")
			}
			return nil
		})
	})
}

func buildLeaderboardByVotes(people, clustered bool) func(context.Context, Facts, report.Options) (report.Report, error) {
	return func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		return models.ReportVoteBoard(ctx, f, models.VotesOptions{Dataset: o.Dataset, Judge: o.Judge, People: people, Clustered: clustered, Seed: o.Seed, Progress: o.Progress})
	}
}

// newLeaderboardByVotesKind is models in the order of the strengths that votes give them.
func newLeaderboardByVotesKind() Kind {
	k := newLeaderboardKind().newVariant("leaderboard-votes", "Models in the order of the votes", nil, "--from", "votes")
	k.Build = buildLeaderboardByVotes(false, false)
	return k
}

// newQueueKind is a kind whose command takes a queue. Build reports on it by the options that flags left.
func newQueueKind(name string, flags func(*Request, *annotate.QueueName)) Kind {
	return newKind(name, OnQueue, func(a *Request) {
		var q annotate.QueueName
		a.AddFlag("queue", wordValue(&q), "the queue that people worked on (required)").Needed = true
		flags(a, &q)
	})
}

// policyUsage is the help of --policy for reports on a queue.
const policyUsage = "unanimous, majority, plurality, or adjudicated (an adjudication, else unanimous)"

// newAnnotatorsKind is how the people of a queue work.
func newAnnotatorsKind() Kind {
	return newQueueKind("annotators", func(a *Request, q *annotate.QueueName) {
		o := alignment.AnnotatorOptions{Listed: 10}
		addSampleClusterFlag(a)
		a.addPolicyFlags(&o.Policy, &o.Undecided, "when the others have agreed: "+policyUsage,
			"where the others have not: dropped, counted as none, or a class of its own (own)")
		a.AddFlag("items", intValue(&o.Listed), "how many slow and how many contested items are listed")
		a.Build = func(ctx context.Context, f Facts, all report.Options) (report.Report, error) {
			o.Queue, o.Clustered, o.Progress = *q, a.Cluster.Field != "", all.Progress
			return alignment.ReportAnnotators(ctx, f, o)
		}
	})
}

// newAlignmentKind is how far machines read a queue as people do.
func newAlignmentKind() Kind {
	return newQueueKind("alignment", func(a *Request, q *annotate.QueueName) {
		var o alignment.Options
		addSampleClusterFlag(a)
		a.addPolicyFlags(&o.Policy, &o.Undecided, "when people have agreed: "+policyUsage+"; or dawid-skene, by a model of their errors", "items without consensus: dropped, counted as none, or a class of its own (own)")
		a.addCheck(func() error { return requireKnownRules(o.Rules...) })
		a.AddFlag("rules", wordsValue(&o.Rules), "rule `sets` to compare (default: all)")
		a.AddFlag("part", optionValue(&o.Part, alignment.ParsePart), "only half of the samples: development, to choose an extractor on, or held-out, to measure it on; each look at that is saved and counted")
		a.addCheck(func() error {
			return eval.Either(o.Part != alignment.PartUnset && a.Cluster.Field != "", errors.New("--part: samples are in one half by their own clusters, whatever --cluster names: give one of them"), nil)
		})
		a.models, o.Drop = true, addCeilingFlags(a)
		a.Build = func(ctx context.Context, f Facts, all report.Options) (report.Report, error) {
			o.Queue, o.Progress = *q, all.Progress
			return alignment.ReportAlignment(ctx, f, o)
		}
		addCriteriaAlignment(a, q, &o.Epsilon, &o.Judge)
	})
}

// newConfidenceKind is whether judges are as sure as they are right.
func newConfidenceKind() Kind {
	return newQueueKind("confidence", func(a *Request, q *annotate.QueueName) {
		var o alignment.Options
		a.addPolicyFlags(&o.Policy, &o.Undecided, "when people have agreed: "+policyUsage, "items without consensus: dropped, counted as none, or a class of its own (own)")
		a.Build = func(ctx context.Context, f Facts, all report.Options) (report.Report, error) {
			o.Queue, o.Progress = *q, all.Progress
			return alignment.ReportConfidence(ctx, f, o)
		}
	})
}

// newCalibrationsKind is how saved alignments moved.
func newCalibrationsKind() Kind {
	return newQueueKind("calibrations", func(a *Request, q *annotate.QueueName) {
		a.Flags[0].Usage, a.Flags[0].Needed = "only this queue", false
		a.Build = func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) {
			return alignment.ReportCalibrations(ctx, f, alignment.CalibrationOptions{Queue: *q})
		}
	})
}

// KindsOfQueue are the reports on one queue: how its people work and, where they label, the alignment
// by their majority and by adjudicators' rulings, with the alignments that were saved.
func KindsOfQueue(q *annotate.Queue) []Kind {
	file, title := text.Outside(string(q.Name)).ForFileName(), string(q.Name)
	of := func(k Kind, name, title string, build func(context.Context, Facts) (report.Report, error), args ...string) Kind {
		k.Args = append([]string{k.Name, "--queue", string(q.Name)}, args...)
		k.Name, k.Title = name, title
		k.Build = func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) { return build(ctx, f) }
		return k
	}
	out := []Kind{of(newAnnotatorsKind(), "annotators-"+file, "How the people of queue "+title+" work", func(ctx context.Context, f Facts) (report.Report, error) {
		return alignment.ReportAnnotators(ctx, f, alignment.AnnotatorOptions{Queue: q.Name, Policy: annotate.Majority, Undecided: annotate.Dropped})
	})}
	if q.CheckTakesReadings() != nil {
		return out
	}
	aligned := func(p annotate.Policy) func(context.Context, Facts) (report.Report, error) {
		return func(ctx context.Context, f Facts) (report.Report, error) {
			return buildAlignment(ctx, f, alignment.Options{Queue: q.Name, Policy: p})
		}
	}
	return append(out,
		of(newCalibrationsKind(), "calibrations-"+file, "How saved alignments on queue "+title+" moved", func(ctx context.Context, f Facts) (report.Report, error) {
			return alignment.ReportCalibrations(ctx, f, alignment.CalibrationOptions{Queue: q.Name})
		}),
		of(newConfidenceKind(), "confidence-"+file, "Confidence of judges on queue "+title, func(ctx context.Context, f Facts) (report.Report, error) {
			r, err := alignment.ReportConfidence(ctx, f, alignment.Options{Queue: q.Name, Policy: annotate.Majority, Undecided: annotate.Dropped})
			if err == nil && len(r.Rows) == 0 {
				err = fmt.Errorf("find a judge's confidence on queue %s: %w", q.Name, eval.ErrNotFound)
			}
			return r, err
		}),
		of(newAlignmentKind(), "alignment-"+file, "Alignment with people on queue "+title+", majority", aligned(annotate.Majority)),
		of(newAlignmentKind(), "alignment-"+file+"-adjudicated", "Alignment with people on queue "+title+", adjudicated", aligned(annotate.Adjudicated),
			"--policy", annotate.Adjudicated.String()))
}

// buildAlignment builds the alignment on a queue; by adjudicators only where any has ruled.
func buildAlignment(ctx context.Context, f Facts, o alignment.Options) (report.Report, error) {
	o.Epsilon = agree.AlternativeEpsilon
	r, err := alignment.ReportAlignment(ctx, f, o)
	if err != nil || o.Policy != annotate.Adjudicated {
		return r, err
	}
	if slices.ContainsFunc(report.SelectRows[*alignment.Row](r.Rows), func(al *alignment.Row) bool { return al.Adjudicated != nil }) {
		return r, nil
	}
	return report.Report{}, fmt.Errorf("find an adjudication in queue %s: %w", o.Queue, eval.ErrNotFound)
}

func newDatasetsKind() Kind {
	return newKind("dataset", OnSamples, func(a *Request) {
		d := quality.DatasetOptions{Words: 2, Top: 20}
		a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only this dataset")
		a.AddFlag("words", intValue(&d.Words), "how many words of a question are its instruction")
		a.AddFlag("top", intValue(&d.Top), "how many instructions are listed")
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			by := d
			by.Dataset, by.Progress = o.Dataset, o.Progress
			return quality.ReportDatasets(ctx, f, by)
		}
	})
}

// newCriteriaKind is how far the criteria of datasets are.
func newCriteriaKind() Kind {
	return newKind("criteria", OnSamples, func(a *Request) {
		a.SetCriteriaOptions(&quality.CriteriaOptions{})
		a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only this dataset (default: every one that has criteria)")
	})
}

// SetCriteriaOptions asks for the criteria by more options than all reports share.
func (a *Request) SetCriteriaOptions(c *quality.CriteriaOptions) {
	a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		if o.Dataset != "" {
			if _, err := f.Dataset(o.Dataset); err != nil {
				return report.Report{}, err
			}
		}
		by := *c
		by.Dataset, by.Progress = o.Dataset, o.Progress
		return quality.ReportCriteria(ctx, f, by)
	}
}

// newInspectorsKind is what models answer without the picture, by inspections.
func newInspectorsKind() Kind {
	return newKind("inspectors", OnSamples, func(a *Request) {
		a.buildInspectors(&quality.InspectorOptions{})
		a.AddFlag("dataset", wordValue(&a.Options.Dataset), "only those of this dataset")
	})
}

// SetInspectorOptions asks for inspections by more options than all reports share.
func (a *Request) SetInspectorOptions(o *quality.InspectorOptions) {
	a.AddFlag("inspection", wordValue(&o.Inspection), "only the one of this `name`")
	a.buildInspectors(o)
}

func (a *Request) buildInspectors(i *quality.InspectorOptions) {
	a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
		by := *i
		by.Dataset, by.Panel = o.Dataset, f.Panel
		return quality.ReportInspectors(ctx, f, by)
	}
}

// newCurationKind is what experts accept of a dataset.
func newCurationKind() Kind {
	return newKind("curation", OnSamples, func(a *Request) {
		a.Build = func(ctx context.Context, f Facts, o report.Options) (report.Report, error) {
			return f.Curation(ctx, o.Dataset)
		}
	})
}

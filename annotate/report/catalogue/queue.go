package catalogue

import (
	"context"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/annotate/report/alignment"
	"concord/eval"
	"concord/eval/text"
)

// onQueue is a kind whose command takes a queue. Build makes the report on it by
// the options that flags left.
func onQueue(k Kind, flags func(*Request, *annotate.QueueName)) Kind {
	k.Of = OnQueue
	k.flags = func(a *Request) {
		var q annotate.QueueName
		a.AddFlag("queue", wordValue(&q), "the queue that people worked on (required)").Needed = true
		flags(a, &q)
	}
	return k
}

// policyUsage is the help of --policy for reports on a queue.
const policyUsage = "unanimous, majority, plurality, or adjudicated (an adjudication, else unanimous)"

// newAnnotatorsKind is how the people of a queue work.
func newAnnotatorsKind() Kind {
	return onQueue(namedKind("annotators"), func(a *Request, q *annotate.QueueName) {
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
	return onQueue(namedKind("alignment"), func(a *Request, q *annotate.QueueName) {
		var o alignment.Options
		addSampleClusterFlag(a)
		a.addPolicyFlags(&o.Policy, &o.Undecided, "when people have agreed: "+policyUsage+"; or dawid-skene, by a model of their errors", "items without consensus: dropped, counted as none, or a class of its own (own)")
		a.addCheck(func() error { return requireKnownRules(o.Rules...) })
		a.AddFlag("rules", wordsValue(&o.Rules), "rule `sets` to compare (default: all)")
		a.AddFlag("part", optionValue(&o.Part, alignment.ParsePart), "only half of the samples: development, to choose an extractor on, or held-out, to measure it on; each look at that is saved and counted")
		a.models, o.Drop = true, addCeilingFlags(a)
		a.Build = func(ctx context.Context, f Facts, all report.Options) (report.Report, error) {
			o.Queue, o.Progress = *q, all.Progress
			return alignment.ReportAlignment(ctx, f, o)
		}
		addCriteriaAlignment(a, q, &o.Epsilon, &o.Judge)
	})
}

// newCalibrationsKind is how saved alignments moved.
func newCalibrationsKind() Kind {
	return onQueue(namedKind("calibrations"), func(a *Request, q *annotate.QueueName) {
		a.Flags[0].Usage, a.Flags[0].Needed = "only this queue", false
		a.Build = func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) {
			return alignment.ReportCalibrations(ctx, f, alignment.CalibrationOptions{Queue: *q})
		}
	})
}

// anyQueueKinds are the reports on queues, whichever is meant.
func anyQueueKinds() []Kind {
	return []Kind{newAnnotatorsKind(), newCalibrationsKind(), newAlignmentKind()}
}

// KindsOfQueue are the reports on one queue: how its people work and, where they
// label, the alignment by their majority and by adjudicators' rulings, with the
// alignments that were saved.
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
	if q.ForReadings() != nil {
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
		of(newAlignmentKind(), "alignment-"+file, "Alignment with people on queue "+title+", majority", aligned(annotate.Majority)),
		of(newAlignmentKind(), "alignment-"+file+"-adjudicated", "Alignment with people on queue "+title+", adjudicated", aligned(annotate.Adjudicated),
			"--policy", annotate.Adjudicated.String()))
}

// buildAlignment builds the alignment on a queue; by adjudicators only where any has
// ruled.
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

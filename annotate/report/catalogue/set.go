package catalogue

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"concord/annotate/report"
	"concord/eval"
	"concord/eval/text"
)

// Of is every report of a project, in the order of an index, those on queues and
// curated datasets once for each. What a project has nothing for says so when it is
// built. Only is the dataset that they are about; "" for all.
func Of(ctx context.Context, f Facts, only eval.DatasetName) ([]Kind, error) {
	queues, err := ofQueues(f, only)
	if err != nil {
		return nil, err
	}
	curated, err := ofCuration(ctx, f, only)
	return slices.Concat([]Kind{about(Datasets(), only)}, aboutAll(OfRuns(), only), queues, aboutAll(OfVotes(), only),
		[]Kind{about(Criteria(), only), about(Inspectors(), only)}, curated), err
}

// Line is the command as somebody types it.
func (k *Kind) Line() string {
	words := k.Command()
	for i := 2; i < len(words); i += 2 { // values of flags
		words[i] = text.Outside(words[i]).Shell()
	}
	return "concord report " + strings.Join(words, " ")
}

// about is a kind whose command names the dataset.
func about(k Kind, only eval.DatasetName) Kind {
	if only != "" {
		k.Args = append(k.Command(), "--dataset", string(only))
	}
	return k
}

func aboutAll(all []Kind, only eval.DatasetName) []Kind {
	for i := range all {
		all[i] = about(all[i], only)
	}
	return all
}

// nothing is a kind of which the project has nothing.
func nothing(k Kind, what string, args ...string) Kind {
	k.Args = append([]string{k.Name}, args...)
	k.Build = func(context.Context, Facts, report.Options) (report.Report, error) {
		return report.Report{}, fmt.Errorf("find %s: %w", what, eval.ErrNotFound)
	}
	return k
}

func ofQueues(f Facts, only eval.DatasetName) (out []Kind, err error) {
	queues, err := f.Queues()
	if err != nil {
		return nil, fmt.Errorf("list queues: %w", err)
	}
	none := true
	for i := range queues {
		if q := &queues[i]; only == "" || q.Rule.Dataset == only {
			out = append(out, OfQueue(q)...)
			none = none && q.ForLabels() != nil
		}
	}
	if none {
		out = append(out, nothing(Alignment(), "a queue of labels", "--queue", "NAME"))
	}
	return out, nil
}

// ofCuration are the reports on each dataset of which experts have said anything.
func ofCuration(ctx context.Context, f Facts, only eval.DatasetName) (out []Kind, err error) {
	all, err := f.Datasets()
	if err != nil {
		return nil, fmt.Errorf("list datasets: %w", err)
	}
	for _, d := range all {
		if only != "" && d.Name != only {
			continue
		}
		for _, err := range f.CurationActs(ctx, d.Name) {
			if err != nil {
				return nil, fmt.Errorf("list curated datasets: %w", err)
			}
			k := about(Curation(), d.Name)
			k.Name, k.Title = "curation-"+text.Outside(string(d.Name)).File(), "What experts accept of "+string(d.Name)
			k.Build = func(ctx context.Context, f Facts, _ report.Options) (report.Report, error) {
				return f.Curation(ctx, d.Name)
			}
			out = append(out, k)
			break
		}
	}
	if len(out) == 0 {
		out = append(out, about(nothing(Curation(), "experts' verdicts (concord curate)"), only))
	}
	return out, nil
}

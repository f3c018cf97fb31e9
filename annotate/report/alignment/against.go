package alignment

import (
	"cmp"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/eval/stat"
)

// against sets each rater beside the reference, and every two of them side by
// side. Those who made the reference are not compared with it, unless they
// were asked for by name.
func (r *AgreeRow) against(l *agree.Long, raters []string, o AgreeOptions) {
	ref := o.Reference
	r.Reference = &ReferenceRow{Raters: ref.Raters, Undecided: ref.Undecided}
	if ref.Policy != annotate.PolicyUnset {
		r.Reference.Policy = ref.Policy.String()
		r.Reference.Undecided = cmp.Or(ref.Undecided, annotate.Dropped.String())
	}
	truth := l.Column(ref.Raters, func(classes []string) string {
		if ref.Policy == annotate.PolicyUnset {
			return classes[0]
		}
		got, ok := annotate.Resolve(classes, nil, ref.Policy)
		if !ok {
			r.Reference.Open++
			return ref.Undecided
		}
		return got.Word
	})
	r.Reference.count(truth)
	var names []string
	var columns [][]string
	for _, name := range raters {
		if slices.Contains(ref.Raters, name) && (len(o.Raters) == 0 || ref.Policy == annotate.PolicyUnset) {
			continue
		}
		names = append(names, name)
		columns = append(columns, l.Column([]string{name}, func(classes []string) string { return classes[0] }))
	}
	for i, name := range names {
		r.Against = append(r.Against, againstOne(name, truth, columns[i], o))
	}
	for i := range names {
		for j := i + 1; j < len(names) && len(r.McNemar) < mostPairs; j++ {
			r.McNemar = append(r.McNemar, AgreeMcNemar{names[i], names[j], agree.McNemar(rights(truth, columns[i], columns[j]))})
		}
	}
}

func (r *ReferenceRow) count(truth []string) {
	n := make(map[string]int)
	for _, class := range truth {
		if class != "" {
			n[class]++
			r.Items++
		}
	}
	for _, class := range slices.Sorted(maps.Keys(n)) {
		r.Classes = append(r.Classes, agree.Class{Name: class, N: n[class]})
	}
}

func againstOne(name string, truth, column []string, o AgreeOptions) AgainstRow {
	out := AgainstRow{Rater: name}
	pairs := make([][2]string, len(truth))
	for i := range truth {
		pairs[i] = [2]string{truth[i], column[i]}
		switch {
		case truth[i] != "" && column[i] == "":
			out.NotRated++
		case truth[i] == "" && column[i] != "":
			out.NoReference++
		}
	}
	c := agree.Compare(pairs, o.Scale, o.Bootstrap.Confidence)
	out.Agreement, out.Kappa, out.AC1, out.Baseline = c.Agreement, c.Kappa, c.AC1, c.Baseline
	out.Classes, out.Confusion = c.Classes, c.Confusion
	return out
}

// rights counts the items that both rated by who gave the reference's class.
func rights(truth, a, b []string) stat.Pairs {
	var out stat.Pairs
	for i, class := range truth {
		if class != "" && a[i] != "" && b[i] != "" {
			out.Add(a[i] == class, b[i] == class)
		}
	}
	return out
}

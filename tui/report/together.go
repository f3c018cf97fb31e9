package report

import (
	"context"
	"iter"
	"slices"

	"concord/eval"
)

// joinLists gives the list of all that lists hold, in the order of samples. What
// only one of them holds, it holds for what experts say, too.
func joinLists(lists ...List) List {
	experts := slices.ContainsFunc(lists, func(l List) bool { return l.Experts })
	return List{Name: "all", Experts: experts, Keys: func(ctx context.Context) iter.Seq2[eval.Key, error] {
		return func(yield func(eval.Key, error) bool) { mergeKeys(ctx, lists, yield) }
	}}
}

// mergeKeys yields the keys of ordered lists in their common order.
func mergeKeys(ctx context.Context, lists []List, yield func(eval.Key, error) bool) {
	type source struct {
		next func() (eval.Key, error, bool)
		head eval.Key
	}
	var open []*source
	for _, l := range lists {
		next, stop := iter.Pull2(l.Keys(ctx))
		defer stop()
		open = append(open, &source{next: next})
	}
	live := make([]*source, 0, len(open))
	advance := func(s *source) bool {
		k, err, ok := s.next()
		if err != nil {
			yield(eval.Key{}, err)
			return false
		}
		if ok {
			s.head = k
			live = append(live, s)
		}
		return true
	}
	if slices.ContainsFunc(open, func(s *source) bool { return !advance(s) }) {
		return
	}
	for len(live) > 0 {
		best := 0
		for i, s := range live {
			if isLess(s.head, live[best].head) {
				best = i
			}
		}
		s := live[best]
		if !yield(s.head, nil) {
			return
		}
		live = append(live[:best], live[best+1:]...)
		if !advance(s) {
			return
		}
	}
}

func isLess(a, b eval.Key) bool {
	if a.Sample != b.Sample {
		return a.Sample < b.Sample
	}
	return a.Pass < b.Pass
}

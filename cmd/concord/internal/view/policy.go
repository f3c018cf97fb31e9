package view

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"concord/annotate"
	"concord/annotate/blind"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/store"
)

var (
	_ blind.QueueReader = (*store.Queues)(nil)
	_ blind.ActReader   = (*store.Acts)(nil)
	_ blind.Recorder    = (*store.Disclosures)(nil)
)

// NewPolicy makes the policies of a project's people.
func NewPolicy(st *store.Store) *blind.Policies {
	return blind.NewPolicies(st.Queues(), st.Acts(), st.Disclosures())
}

// watch keeps the policy of one person on one dataset up to date while a
// list is read: between two pages of it people may have acted and queues have
// grown.
type watch struct {
	policies *blind.Policies
	now      func() time.Time
	who      annotate.Annotator
	of       eval.DatasetName

	mu     sync.Mutex
	policy *blind.Policy
	made   time.Time
}

// fresh is how old a policy may be.
const fresh = time.Second

func (w *watch) sample(o eval.Ordinal) (*blind.View, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if now := w.now(); w.policy == nil || now.Sub(w.made) >= fresh || now.Before(w.made) {
		policy, err := w.policies.For(w.who, w.of)
		if err != nil {
			return nil, err
		}
		w.policy, w.made = policy, now
	}
	return w.policy.Sample(o)
}

// unread reports whether rules read no choice out of a prediction, which has
// growing queues ask for it; also when those rules are not known here. A call
// that failed has nothing to read.
func unread(s *eval.Sample, p *eval.Prediction) func(rules string) bool {
	return func(rules string) bool {
		if p.Failure != nil {
			return false
		}
		name, _, _ := strings.Cut(rules, "@")
		r, err := facts.RulesFor(name)
		if err != nil || eval.ReaderID(r) != rules {
			return true
		}
		return eval.Read(r, s, p).IsUnparsable()
	}
}

// said is what people said in a few words: "A", or "A 2, none 1".
func said(labels []annotate.Label) string {
	var order []string
	count := make(map[string]int)
	for _, l := range labels {
		word := l.Reading.Word()
		if count[word] == 0 {
			order = append(order, word)
		}
		count[word]++
	}
	if len(order) == 1 {
		return order[0]
	}
	slices.SortStableFunc(order, func(a, b string) int { return count[b] - count[a] })
	for i, word := range order {
		order[i] = fmt.Sprintf("%s %d", word, count[word])
	}
	return strings.Join(order, ", ")
}

package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"concord/eval"
)

func ballotWords(b *eval.Ballot) string {
	with := "without criteria"
	if b.Criteria {
		with = "with criteria"
	}
	return with + ", by " + b.Input.String()
}

// differing are the fields in which two setups differ, as judge.Hash writes
// them.
func differing(was, is []byte) []string {
	var old, now map[string]json.RawMessage
	if json.Unmarshal(was, &old) != nil || json.Unmarshal(is, &now) != nil {
		return nil
	}
	names := make(map[string]bool)
	for _, m := range []map[string]json.RawMessage{old, now} {
		for name := range m {
			names[name] = true
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a, b := string(old[name]), string(now[name]); a != b {
			out = append(out, fmt.Sprintf("%s: was %s, is %s", name, orNone(a), orNone(b)))
		}
	}
	return out
}

// changed says that votes of a ballot were made with other settings, by the
// hash of these, and what can be done about it.
func (v *Voting) changed(ctx context.Context, p *Tally, was string) error {
	c := p.Comparison
	var b strings.Builder
	fmt.Fprintf(&b, "votes of %s on runs %d and %d (%s, repeat %d) ", c.Judge, c.A, c.B, ballotWords(&c.Ballot), c.Repeat)
	b.WriteString(v.differs(was))
	free, err := v.freeRepeat(ctx, p)
	if err != nil {
		return err
	}
	fmt.Fprintf(&b, "\nVotes of two kinds are never mixed. Ask for them once more with --repeat %d, or give the judge as it is now another name in concord.toml: [models.NAME] with model = %q",
		free, v.setup.Name)
	return fmt.Errorf("%s", &b)
}

// freeRepeat is the first repeat that has no votes on these runs.
func (v *Voting) freeRepeat(ctx context.Context, p *Tally) (int, error) {
	all, err := v.Factory.Store.Votes().Comparisons(ctx)
	if err != nil {
		return 0, err
	}
	free := p.Comparison
	for slices.ContainsFunc(all, func(c eval.ComparisonProgress) bool { return c.Comparison == free }) {
		free.Repeat++
	}
	return free.Repeat, nil
}

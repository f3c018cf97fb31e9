package eval

import "testing"

func TestVoteSwapsWithItsPair(t *testing.T) {
	p := Pair{Sample: 3, First: 1, Second: 2}
	if p.Swapped().Swapped() != p || p.Swapped() == p {
		t.Errorf("%v swapped is %v", p, p.Swapped())
	}
	for v := range Vote(Votes) {
		if v.Swapped().Swapped() != v || v.IsDecided() != (v.Swapped() != v) {
			t.Errorf("%v swapped is %v", v, v.Swapped())
		}
		if v == VoteUnset {
			continue
		}
		if back, err := ParseVote(v.String()); err != nil || back != v {
			t.Errorf("%v reads back as %v, %v", v, back, err)
		}
	}
}

package coverage

import (
	"fmt"
	"math/rand/v2"

	"concord/annotate/agree"
	"concord/eval/stat"
)

// voteSettings are figures of votes on the answers of several models to one
// question each, all against one anchor: where the anchor's answer is poor, every
// model wins, and judge and people agree on it.
func voteSettings() []setting {
	var out []setting
	for _, c := range []struct {
		questions, models int
		poor, right       float64 // share of poor anchors, chance to agree elsewhere
	}{{50, 5, 0.4, 0.6}, {200, 5, 0.6, 0.7}} {
		what := fmt.Sprintf("%d questions, %d models, %g clear", c.questions, c.models, c.poor)
		truth := c.poor + (1-c.poor)*c.right
		votes := func(r *rand.Rand) *agree.Classified {
			var all agree.Classified
			for q := range uint64(c.questions) {
				clear := chance(r, c.poor)
				alike := chance(r, c.right)
				for range c.models {
					people := []string{"win", "lose"}[r.IntN(2)]
					judge := people
					switch {
					case clear:
						people, judge = "win", "win"
					case !alike:
						judge = map[string]string{"win": "lose", "lose": "win"}[people]
					}
					all.AddItem(q, people, judge, people == judge)
				}
			}
			return &all
		}
		win := c.poor + (1-c.poor)/2 // on either side
		expected := win*win + (1-win)*(1-win)
		kappa := (truth - expected) / (1 - expected)
		out = append(out,
			setting{figure: "agreement: votes", what: what, method: robust, other: "Wilson over pairs", draw: func(r *rand.Rand) []look {
				return rate(truth, votes(r).Agreement(""))
			}},
			setting{figure: "agreement: kappa of votes", what: what, method: "cluster-robust", draw: func(r *rand.Rand) []look {
				k, _ := votes(r).Coefficients(stat.Confidence)
				return []look{{kappa, k.Low, k.High}}
			}})
	}
	return out
}

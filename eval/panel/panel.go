// Package panel makes several judges one: what they read in a response together. It asks nobody.
package panel

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"concord/eval"
)

// Rule is how judges come to one reading. The zero value is unset.
type Rule uint8

// The rules.
const (
	RuleUnset Rule = iota
	Majority       // what more than half of the judges read
	Unanimous      // what all of them read
	Weighted       // what the judges read whose agreement with people weighs most
)

var ruleNames = [...]string{"", "majority", "unanimous", "weighted"}

// String is the name that the configuration takes.
func (r Rule) String() string { return eval.EnumName(ruleNames[:], r) }

// ParseRule reads what String writes.
func ParseRule(s string) (Rule, error) { return eval.ParseEnum[Rule](ruleNames[:], s, "rule") }

// RuleNames are the names of all rules.
func RuleNames() []string { return ruleNames[1:] }

// Panel is judges that are one extractor together.
type Panel struct {
	Name   string
	Judges []string // two or more
	Rule   Rule
	// Weights are those of Weighted, judge by judge: log odds of agreement with people.
	Weights []float64
}

// String is what the panel is, in words: it stands for a prompt in reports.
func (p *Panel) String() string {
	names := slices.Clone(p.Judges)
	for i := range p.Weights {
		names[i] += fmt.Sprintf(" %.2f", p.Weights[i])
	}
	return p.Rule.String() + " of " + strings.Join(names, ", ")
}

// WeightOfJudge gives the weight of a judge that agreed with people on k of n items: the log odds, with half an
// item added to both sides, and none below chance (Nitzan and Paroush, "Optimal Decision Rules in
// Uncertain Dichotomous Choice Situations", International Economic Review 23, 1982).
func WeightOfJudge(k, n int) float64 { return max(0, math.Log((float64(k)+0.5)/(float64(n-k)+0.5))) }

// noConsensus is the method of a panel's reading where its judges do not come to one.
const noConsensus = "no consensus"

// CombineByRule is the reading of judges by the rule of the panel, one of each in their order.
// What is no option counts as one class, as in alignment rates; where that wins, the
// first judge of it says which. Without consensus nothing is read.
func (p *Panel) CombineByRule(of []eval.Extraction) eval.Extraction {
	won, best, all := eval.X, 0.0, 0.0
	votes := make(map[eval.Choice]float64, len(of))
	for i := range of {
		w := p.weightOf(i)
		all += w
		votes[of[i].AlignmentClass()] += w
	}
	tied := false
	for class, n := range votes {
		switch {
		case n > best:
			won, best, tied = class, n, false
		case n == best:
			tied = true
		}
	}
	if tied || p.Rule == Majority && 2*best <= all || p.Rule == Unanimous && len(votes) > 1 {
		return eval.Extraction{Status: eval.Missing, Method: noConsensus}
	}
	i := slices.IndexFunc(of, func(e eval.Extraction) bool { return e.AlignmentClass() == won })
	return eval.Extraction{Status: of[i].Status, Choice: of[i].Choice, Method: p.Rule.String()}
}

func (p *Panel) weightOf(judge int) float64 {
	if p.Rule == Weighted {
		return p.Weights[judge]
	}
	return 1
}

// WithPanelJudgments yields the judgments of a run, and behind them those of panels: one of each prediction
// that all judges of the panel have read. A judge that has the name of a panel ends it with an error.
func WithPanelJudgments(judgments iter.Seq2[eval.Judgment, error], panels []Panel) iter.Seq2[eval.Judgment, error] {
	if len(panels) == 0 {
		return judgments
	}
	return func(yield func(eval.Judgment, error) bool) {
		seats := make([]seat, len(panels))
		for j, err := range judgments {
			for i := range panels {
				if err == nil && j.Judge == panels[i].Name {
					err = fmt.Errorf("panel %s: a judge of that name has read responses: give the panel another name in concord.toml", j.Judge)
				}
			}
			if !yield(j, err) || err != nil {
				return
			}
			for i := range panels {
				seats[i].seatJudgment(&panels[i], &j)
			}
		}
		for i := range panels {
			for _, k := range seats[i].order {
				if j, ok := seats[i].combinedJudgment(&panels[i], k); ok && !yield(j, nil) {
					return
				}
			}
		}
	}
}

// seat is what the judges of a panel have read in a run: of several judgments of one
// judge on one prediction the last one that reads.
type seat struct {
	by    map[eval.Key][]eval.Judgment // by the panel's order of judges
	order []eval.Key                   // in which predictions were judged first
}

func (s *seat) seatJudgment(p *Panel, j *eval.Judgment) {
	i := slices.Index(p.Judges, j.Judge)
	if i < 0 || !j.HasReply() {
		return
	}
	of := s.by[j.Key]
	if of == nil {
		of = make([]eval.Judgment, len(p.Judges))
		eval.EnsureMap(&s.by)[j.Key], s.order = of, append(s.order, j.Key)
	}
	of[i] = eval.Judgment{Judge: j.Judge, Extraction: j.Extraction, Call: eval.Call{At: j.At}}
}

// combinedJudgment gives the judgment of a panel on a prediction, once all of its judges have
// read it. It cost no call.
func (s *seat) combinedJudgment(p *Panel, k eval.Key) (out eval.Judgment, ok bool) {
	of := s.by[k]
	out = eval.Judgment{Key: k, Judge: p.Name}
	read := make([]eval.Extraction, len(of))
	for i := range of {
		if of[i].Judge == "" {
			return out, false
		}
		read[i] = of[i].Extraction
		if of[i].At.After(out.At) {
			out.At = of[i].At
		}
	}
	out.Prompt, out.Extraction = p.String(), p.CombineByRule(read)
	return out, true
}

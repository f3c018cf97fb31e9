package pairwise

import (
	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report"
	"concord/eval"
	"concord/eval/metric"
	"concord/eval/stat"
)

// voteComparison sets what two sides said of pairs beside each other.
type voteComparison struct {
	undecided annotate.Undecided // what becomes of pairs that one side is undecided on

	items agree.Classified // where both are compared; the pairs of one sample are a cluster
	all   stat.Clusters    // where both have voted
}

// newComparison has nothing yet; of votes that are still coming in it makes
// figures that hold at every look.
func newComparison(undecided annotate.Undecided, ongoing bool) voteComparison {
	return voteComparison{undecided: undecided, items: agree.Classified{Sequence: ongoing}, all: stat.Clusters{Sequence: ongoing}}
}

// addPair compares the two on one pair and says what came of it: Agree, Disagree,
// or the reason for which it is left out.
func (c *voteComparison) addPair(cluster uint64, people, judge *pairOpinion) report.Which {
	if people.why == "" && judge.why == "" {
		c.all.AddToCluster(cluster, float64(report.OneIf(foldTies(people.result) == foldTies(judge.result))), 1)
	}
	dropped := c.undecided == annotate.Dropped || c.undecided == annotate.UndecidedUnset
	switch {
	case people.why != "":
		return people.why
	case dropped && !people.result.IsDecided():
		return PeopleUndecided
	case judge.why != "":
		return judge.why
	case dropped && !judge.result.IsDecided():
		return JudgeUndecided
	}
	// As a tie, every way to prefer neither answer is one class; as a class of its
	// own, people's is none that a judge can give.
	a, b := foldTies(people.result), foldTies(judge.result)
	if c.undecided == annotate.OwnClass && !b.IsDecided() {
		b = metric.Tie
	}
	c.items.Add(cluster, a.String(), b.String(), a == b)
	return whichAgreed(a, b)
}

// foldTies has every way to prefer neither be one.
func foldTies(r metric.Result) metric.Result {
	return eval.Either(r.IsDecided(), r, metric.Unable)
}

const (
	nobodyDecided = "no pair that both decided"
	nobodyVoted   = "no pair that both voted on"
)

func (c *voteComparison) fillRow(row *AgreementRow) {
	reason := eval.Either(c.undecided == annotate.CountedAsNone || c.undecided == annotate.OwnClass, nobodyVoted, nobodyDecided)
	row.Agreement = c.items.Agreement(reason)
	row.WithUndecided = c.all.Rate(nobodyVoted)
	row.Baseline = c.items.Baseline(reason)
	row.Kappa, row.AC1 = c.items.Coefficients(stat.Confidence)
}

// addPair counts a pair by what came of it with and without criteria.
func (x *CriteriaEffect) addPair(looks *stat.PairedLooks, cluster uint64, with, without report.Which) report.Which {
	a, b := with == report.Agree || with == report.Disagree, without == report.Agree || without == report.Disagree
	switch {
	case a && b:
	case a:
		x.OnlyWith++
		return ""
	case b:
		x.OnlyWithout++
		return ""
	default:
		x.Neither++
		return ""
	}
	right := [2]bool{with == report.Agree, without == report.Agree}
	looks.Add(cluster, right[0], right[1])
	return map[[2]bool]report.Which{{true, true}: BothRight, {true, false}: WithRight, {false, true}: WithoutRight, {false, false}: NeitherRight}[right]
}

func whichAgreed(a, b metric.Result) report.Which {
	return eval.Either(a == b, report.Agree, report.Disagree)
}

package record

import (
	"encoding/binary"
	"fmt"
	"math"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/packet"
	"concord/annotate/rubric"
	"concord/eval"
)

// RunTotals are what a run's predictions come to.
type RunTotals struct {
	Run    eval.RunID
	Counts eval.Counts
}

// JudgeTotals are what a judge's judgments or scores of a run come to.
type JudgeTotals[C any] struct {
	JudgeOf
	Counts C
}

// The kinds of what tables hold. Samples and predictions, of which there are the
// most, are copied by their own functions.
var (
	Datasets    = kindOf[eval.Dataset, Dataset](TableDatasets, "Name...", nil)
	Runs        = kindOf[eval.Run, Run](TableRuns, "ID", nil)
	Totals      = kindOf[RunTotals, Counts](TableCounts, "Run", nil)
	Judgments   = kindOf[eval.Judgment, Judgment](TableJudgments, "Run Sample Pass Judge +", checkJudgment)
	Judges      = kindOf[JudgeTotals[eval.JudgeCounts], Judge](TableJudges, "Run Judge...", nil)
	Scores      = kindOf[eval.Score, Score](TableScores, "Run Sample Pass Judge +", checkScore)
	Scorers     = kindOf[JudgeTotals[eval.ScoreCounts], Scorer](TableScorers, "Run Judge...", nil)
	Captions    = kindOf[eval.Caption, Caption](TableCaptions, "Dataset Sample Model +", nil)
	Detected    = kindOf[eval.Detected, Detections](TableDetections, "Dataset Sample +", nil)
	Votes       = votes()
	Comparisons = kindOf[eval.ComparisonProgress, Comparison](TableComparisons, "A B Judge Criteria Input Repeat", nil)
	Grades      = kindOf[eval.Grade, Grade](TableGrades, "Run Sample Pass Judge Criterion Repeat +", checkGrade)
	Measures    = kindOf[eval.Measure, Measure](TableMeasures, "Benchmark Model Metric Revision", checkMeasure)
	Inspections = kindOf[curation.Inspection, Inspection](TableInspections, "ID", nil)

	Acts         = kindOf[annotate.Act, Act](TableActs, "Queue Annotator N", nil)
	CriteriaActs = kindOf[criteria.Act, Criteria](TableCriteria, "Dataset Sample N", checkCriteria)
	CurationActs = kindOf[curation.Act, Curation](TableCuration, "Dataset Expert N", nil)
	Gradings     = kindOf[rubric.Act, Grading](TableGradings, "Dataset Person N", checkGrading)

	Queues      = kindOf[annotate.Queue, Queue](TableQueues, "Name...", nil)
	Items       = kindOf[annotate.QueueItem, Item](TableItems, "_ Index", nil)
	GoldItems   = kindOf[annotate.Gold, Gold](TableGoldItems, "_ Key.Sample Key.Pass Key.Run Key.Against", nil)
	Guidelines  = kindOf[annotate.Guideline, Guideline](TableGuidelines, "_ Version", nil)
	Drafts      = kindOf[annotate.Guideline, Guideline](TableDrafts, "_ _", nil)
	People      = kindOf[annotate.Person, Person](TablePeople, "Name Version", nil)
	Leases      = kindOf[annotate.Lease, Lease](TableLeases, "_ Who", nil)
	Packets     = kindOf[packet.Packet, Packet](TablePackets, "ID...", nil)
	Reports     = kindOf[annotate.SavedReport, Report](TableReports, "ID", nil)
	Disclosures = kindOf[annotate.Disclosure, Disclosure](TableDisclosures, "Person Dataset Key.Sample Key.Run Key.Pass Content", nil)
)

// votes are kept so that of one sample both orders of a pair stand side by side.
func votes() *Kind[eval.Preference] {
	k := kindOf[eval.Preference, Preference](TableVotes, "", func(p *eval.Preference) string {
		if int(p.Vote) >= eval.Votes || p.First == p.Second || p.Repeat < 0 {
			return fmt.Sprintf("vote %d on runs %d and %d, repeat %d", p.Vote, p.First, p.Second, p.Repeat)
		}
		return ""
	})
	k.tail = 4
	k.cutOther = func(p *eval.Preference, key []byte) ([]byte, bool) {
		c, b, ok := Comparisons.Cut(key)
		if !ok || len(b) < 5 || b[4] > 1 {
			return nil, false
		}
		p.Ballot, p.Pair = c.Ballot, eval.Pair{Sample: eval.Ordinal(binary.BigEndian.Uint32(b)), First: c.A, Second: c.B}
		if b[4] == 1 {
			p.Pair = p.Swapped()
		}
		return b[5:], true
	}
	return k
}

// ComparisonKey is what the votes of one comparison begin with, so that a row of a
// report is one range: both runs, and the ballot.
func ComparisonKey(c eval.Comparison) []byte {
	return Comparisons.Key(&eval.ComparisonProgress{Comparison: c})
}

// VoteKey is the key of a vote less its revision.
func VoteKey(p *eval.Preference) []byte {
	b := AppendU32(ComparisonKey(p.Comparison()), uint32(p.Sample))
	if p.First > p.Second {
		return append(b, 1)
	}
	return append(b, 0)
}

func checkJudgment(j *eval.Judgment) string {
	if int(j.Extraction.Status) >= eval.Statuses {
		return fmt.Sprintf("status %d", j.Extraction.Status)
	}
	return ""
}

func checkScore(s *eval.Score) string {
	if s.Value < 0 || s.Value > eval.TopScore {
		return fmt.Sprintf("score %d", s.Value)
	}
	return ""
}

func checkGrade(g *eval.Grade) string {
	if !sound(g.Graded) || g.Repeat < 0 {
		return fmt.Sprintf("grade %d of repeat %d", g.Verdict, g.Repeat)
	}
	return ""
}

// sound reports whether a verdict is one, and its score a number.
func sound(v eval.Graded) bool {
	return int(v.Verdict) < eval.Verdicts && !math.IsNaN(v.Score) && !math.IsInf(v.Score, 0)
}

func checkGrading(a *rubric.Act) string {
	if !sound(a.Graded) || a.Kind == rubric.Gave && (a.Criterion == "" || a.Graded.Verdict == eval.VerdictUnset) {
		return fmt.Sprintf("act %d of %s gives no verdict on a criterion", a.N, a.Person)
	}
	return ""
}

// checkCriteria looks at whose an act is: their name is the key of their chain.
func checkCriteria(a *criteria.Act) string {
	if a.Who == "" || len(a.Who) > maxName {
		return fmt.Sprintf("act %d of nobody, or of a name of %d bytes", a.N, len(a.Who))
	}
	return ""
}

func checkMeasure(m *eval.Measure) string {
	if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.N < 0 {
		return fmt.Sprintf("value %g of %d", m.Value, m.N)
	}
	if m.Source == "" {
		return "no name of a source"
	}
	return ""
}

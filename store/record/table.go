package record

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"concord/annotate"
	"concord/annotate/authoring"
	"concord/annotate/chain"
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

// Records of judges' calls have from 5 to 18 what their calls took, and totals
// tell at last what all of them did.
const (
	call  = " 5:Prompt Setup Served Finish Usage.Prompt Usage.Completion Usage.Reasoning Latency At Failure Failure.Kind Failure.Message Failure.After Failure.Status"
	spent = " Counts.Usage.Prompt Counts.Usage.Completion Counts.Usage.Reasoning Counts.Usage.Cached"
)

// The kinds of what tables hold: what their keys say, and the fields of their records by their
// numbers. A field is never moved, and a new one comes last; more of that says RecordVersion.
// Samples and predictions, of which there are the most, are copied by their own functions.
var (
	Datasets  = newKind[eval.Dataset](TableDatasets, "Name...", "Samples NoTruth Circular Hash Complete Synthetic Origin Added Coarse Metric", nil)
	Runs      = newKind[eval.Run](TableRuns, "ID", "Config! Created Whole Ended", nil)
	Totals    = newKind[RunTotals](TableCounts, "Run", "Counts.Predictions Counts.Failures Counts.Questions Counts.Statuses Counts.Reader"+spent, nil)
	Judgments = newKind(TableJudgments, "Run Sample Pass Judge +", "Extraction.Choice Extraction.Status Extraction.Method Raw Prompt Usage.Prompt Usage.Completion Usage.Reasoning "+
		"Latency At Setup Finish Failure Failure.Kind Failure.Message Failure.After Failure.Status Served Earlier Confidence Usage.Cached", checkJudgment)
	Judges      = newKind[JudgeTotals[eval.JudgeCounts]](TableJudges, "Run Judge...", "Counts.Judged Counts.Failures Counts.Fallback Counts.Statuses"+spent, nil)
	Scores      = newKind(TableScores, "Run Sample Pass Judge +", "Value Raw Earlier"+call+" Usage.Cached", checkScore)
	Scorers     = newKind[JudgeTotals[eval.ScoreCounts]](TableScorers, "Run Judge...", "Counts.Values Counts.Failures"+spent, nil)
	Captions    = newKind[eval.Caption](TableCaptions, "Dataset Sample Model +", "Text"+call+" Usage.Cached", nil)
	Detected    = newKind[eval.Detected](TableDetections, "Dataset Sample +", "Objects! At", nil) // none is another fact than no record
	Votes       = newVoteKind()
	Comparisons = newKind[eval.ComparisonProgress](TableComparisons, "A B Judge Criteria Input Repeat", "Counts.Votes Counts.Failures"+spent, nil)
	Grades      = newKind(TableGrades, "Run Sample Pass Judge Criterion Repeat +", "Verdict Raw Earlier Hash"+call+" 20:Score Label Expected Probabilities Usage.Cached", checkGrade)
	Measures    = newKind(TableMeasures, "Benchmark Model Metric Revision", "Value! Source N File At", checkMeasure) // 0 is a score
	Inspections = newKind[curation.Inspection](TableInspections, "ID", "Name Dataset Settings! Probes Graders Marks By Created", nil)

	Acts = newChainedKind(newKind[annotate.Act](TableActs, "Queue Annotator N", "Item.Run Item.Sample Item.Pass Kind Reading.Kind Choice Several Reason Confidence Text Target Imported At Spent "+
		"Item.Against Informed Vote Swapped Criteria Score Cause Guideline Decoy Whose Matter Grades link", nil), chain.NewActForm)
	CriteriaActs = newChainedKind(newKind(TableCriteria, "Dataset Sample N", "Kind Who Round Criteria Type Reason Text Ticks Assignee Other Target Imported At link", checkAuthor), chain.NewCriteriaForm)
	CurationActs = newChainedKind(newKind[curation.Act](TableCuration, "Dataset Expert N", "Sample Kind Verdict Axis Text Target Informed Imported At Spent link", nil), chain.NewCurationForm)
	Gradings     = newChainedKind(newKind(TableGradings, "Dataset Person N", "Kind Response.Run Response.Sample Response.Pass Criterion Hash Graded.Verdict Graded.Score Graded.Label Target Informed Imported At Spent link", checkGrading), chain.NewGradingForm)

	AuthoringActs = newChainedKind(newKind[authoring.Act](TableAuthoring, "Dataset Sample N", "Kind Who Text Image.Hash Image.Name Model Original ID Of At link", nil), chain.NewAuthoringForm)

	// The guideline in force stands in its queue's record, so that opening a queue
	// reads nothing else; a record without a version has its first one.
	Queues = newKind[annotate.Queue](TableQueues, "Name...", "Rule! Stratum Overlap Growing Population Items Guideline.Text Synthetic By Created Criteria Extra GoldItems "+
		"Guideline.Version Guideline.By Guideline.At Design.File Design.Column Design.Weights Design.Seed Labels.Name Labels.Hash Labels.Options Tags.Name Tags.Hash Tags.Options", nil)
	Items       = newKind[annotate.QueueItem](TableItems, "_ Index", "Key.Run Key.Sample Key.Pass Inclusion Group Key.Against Uncertain", nil)
	GoldItems   = newKind[annotate.Gold](TableGoldItems, "_ Key.Sample Key.Pass Key.Run Key.Against", "Reading.Kind Choice Score Vote Swapped From", nil)
	Guidelines  = newKind[annotate.Guideline](TableGuidelines, "_ Version", "Text By At", nil)
	Drafts      = newKind[annotate.Guideline](TableDrafts, "_ _", "Text By At", nil)
	People      = newKind[annotate.Person](TablePeople, "Name Version", "Role Keys By At", nil)
	Leases      = newKind[annotate.Lease](TableLeases, "_ Who", "Item.Run Item.Sample Item.Pass Item.Against Until", nil)
	Packets     = newKind[packet.Packet](TablePackets, "ID...", "Queue Who By Made Until Keys Items Guideline Here Merged Recalled Labels MergedBy RecallBy", nil)
	Reports     = newKind[annotate.SavedReport](TableReports, "ID", "Name Queue Policy Rules Judges LabelsHash Rows By At RulingsHash Heads Build", nil)
	Batches     = newKind[eval.Batch](TableBatches, "Run File...", "ID Endpoint Judge Made Taken", nil)
	Disclosures = newKind[annotate.Disclosure](TableDisclosures, "Person Dataset Key.Sample Key.Run Key.Pass Content", "At Screen", nil)
)

// newChainedKind gives a kind of acts, of which form gives the canonical form.
func newChainedKind[T any](k *Kind[T], form func(*T) chain.Form) *Kind[T] {
	k.form = form
	return k
}

// newVoteKind are kept so that of one sample both orders of a pair stand side by side.
func newVoteKind() *Kind[eval.Preference] {
	k := newKind(TableVotes, "", "Vote Raw Earlier Text"+call+" Sent Usage.Cached", func(p *eval.Preference) string {
		if int(p.Vote) >= eval.Votes || p.First == p.Second || p.Repeat < 0 {
			return fmt.Sprintf("vote %d on runs %d and %d, repeat %d", p.Vote, p.First, p.Second, p.Repeat)
		}
		return ""
	})
	k.tail = 4
	k.cutOther = func(p *eval.Preference, key []byte) ([]byte, bool) {
		c, b, ok := Comparisons.ParseKey(key)
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

// ComparisonPrefix is what the votes of one comparison begin with, so that a row of a
// report is one range: both runs, and the ballot.
func ComparisonPrefix(c eval.Comparison) []byte {
	return Comparisons.Key(&eval.ComparisonProgress{Comparison: c})
}

// VoteKey is the key of a vote less its revision.
func VoteKey(p *eval.Preference) []byte {
	b := AppendU32(ComparisonPrefix(p.Comparison()), uint32(p.Sample))
	return append(b, eval.Either[byte](p.First > p.Second, 1, 0))
}

func checkJudgment(j *eval.Judgment) string {
	if int(j.Extraction.Status) >= eval.Statuses {
		return fmt.Sprintf("status %d", j.Extraction.Status)
	}
	if !(j.Confidence >= 0 && j.Confidence <= 1) {
		return fmt.Sprintf("confidence %v", j.Confidence)
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
	if !isSoundVerdict(g.Graded) || g.Repeat < 0 {
		return fmt.Sprintf("grade %d of repeat %d", g.Verdict, g.Repeat)
	}
	return ""
}

// isSoundVerdict reports whether a verdict is one, and its score a number.
func isSoundVerdict(v eval.Graded) bool {
	return int(v.Verdict) < eval.Verdicts && !math.IsNaN(v.Score) && !math.IsInf(v.Score, 0)
}

func checkGrading(a *rubric.Act) string {
	if !isSoundVerdict(a.Graded) || a.Kind == rubric.Gave && (a.Criterion == "" || a.Graded.Verdict == eval.VerdictUnset) {
		return fmt.Sprintf("act %d of %s gives no verdict on a criterion", a.N, a.Person)
	}
	return ""
}

// checkAuthor looks at whose an act is: their name is the key of their chain.
func checkAuthor(a *criteria.Act) string {
	if a.Who == "" || len(a.Who) > maxName {
		return fmt.Sprintf("act %d of nobody, or of a name of %d bytes", a.N, len(a.Who))
	}
	return ""
}

func checkMeasure(m *eval.ExternalScore) string {
	if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.N < 0 {
		return fmt.Sprintf("value %g of %d", m.Value, m.N)
	}
	return eval.Either(m.Source == "", "no name of a source", "")
}

// singular is what a record of each table is.
var singular = map[Table]string{
	TableDatasets: "dataset", TableSamples: "sample", TableSampleIDs: "id of a sample", TablePictures: "picture", TableBlobs: "bytes of image",
	TableRuns: "run", TableConfigs: "configuration of a run", TableCounts: "totals", TablePredictions: "prediction", TableAttempts: "failed attempt at a prediction",
	TableJudgments: "judgment", TableFailed: "failed prediction", TableJudges: "totals of a judge", TableTexts: "text", TableQueues: "queue",
	TableQueueIDs: "wanted sample", TableItems: "item", TableItemKeys: "index of an item", TableActs: "act", TableItemActs: "act by item",
	TableTallies: "tally", TablePlaces: "count of labels", TableReports: "saved report", TableVotes: "vote", TableComparisons: "totals of a comparison",
	TableCriteria: "act on criteria", TableScores: "score", TableScorers: "totals of scores", TableCaptions: "caption", TableDetections: "detections",
	TableGoldItems: "known answer", TableMeasures: "score from elsewhere", TableInspections: "inspection", TableCuration: "act of curation",
	TableGrades: "grade", TableGradings: "act of grading", TableAuthoring: "act on a written sample",
	TableGuidelines: "guideline", TableDrafts: "draft of a guideline", TablePeople: "person", TableLeases: "lease", TablePackets: "packet", TablePacketItems: "item in a packet",
	TableHeads: "head of the chain", TableSums: "sum", TableDisclosures: "disclosure", TableBatches: "batch", TableMeta: "entry",
}

// DescribeRecord says what a record is in the words of people: "prediction of run 3,
// sample 17, pass 0".
func DescribeRecord(t Table, key []byte) string {
	what := singular[t]
	if parts := keyParts(t, key); len(parts) > 0 {
		what += " of " + strings.Join(parts, ", ")
	}
	return what
}

// keyParts reads what a key names, as far as it can be read.
func keyParts(t Table, key []byte) (parts []string) {
	number := func(label string, size int) {
		if len(key) < size {
			key = nil // the rest cannot be told apart
			return
		}
		var n uint64
		for _, b := range key[:size] {
			n = n<<8 | uint64(b)
		}
		parts, key = append(parts, label+strconv.FormatUint(n, 10)), key[size:]
	}
	name := func(label string) {
		if s, rest, ok := CutName(key); ok {
			parts, key = append(parts, label+strconv.Quote(s)), rest
		}
	}
	for _, f := range fields[t] {
		switch f.size {
		case named:
			name(f.label)
		case rest:
			if len(key) > 0 {
				parts, key = append(parts, f.label+strconv.Quote(string(key))), nil
			}
		default:
			number(f.label, f.size)
		}
	}
	return parts
}

// keyField is a part of a key: so many bytes of a number, or a name.
type keyField struct {
	label string
	size  int
}

// Sizes of parts that are no numbers.
const (
	named = 0
	rest  = -1
)

var (
	prediction = []keyField{{"run ", 8}, {"sample ", 4}, {"pass ", 1}}
	judged     = append(append([]keyField(nil), prediction...), keyField{"judge ", named})
	contest    = []keyField{{"run ", 8}, {"run ", 8}, {"judge ", named}, {"criteria ", 1}, {"input ", 1}, {"repeat ", 4}}
	sample     = []keyField{{"dataset ", named}, {"sample ", 4}}
	acting     = []keyField{{"queue ", named}, {"annotator ", named}}
	inQueue    = []keyField{{"queue ", named}, {"sample ", 4}, {"pass ", 1}, {"run ", 8}, {"against run ", 8}}
	ofRun      = []keyField{{"run ", 8}}
	ofJudge    = []keyField{{"run ", 8}, {"judge ", rest}}
	number     = []keyField{{"number ", 8}}
	entry      = []keyField{{"", rest}}
)

// fields are the parts of each table's keys.
var fields = map[Table][]keyField{
	TableDatasets: entry, TableSamples: sample, TableSampleIDs: {{"dataset ", named}, {"sample ", rest}}, TableBlobs: number,
	TableRuns: ofRun, TableCounts: ofRun, TablePredictions: prediction, TableAttempts: prediction, TableFailed: prediction,
	TableJudgments: judged, TableScores: judged, TableJudges: ofJudge, TableScorers: ofJudge,
	TableQueues: entry, TableQueueIDs: {{"queue ", named}, {"number ", 4}}, TableItems: {{"queue ", named}, {"item ", 4}},
	TableItemKeys: inQueue, TablePlaces: inQueue, TableGoldItems: inQueue, TablePacketItems: inQueue,
	TableActs: append(append([]keyField(nil), acting...), keyField{"act ", 4}), TableItemActs: acting, TableTallies: acting, TableLeases: acting, TableDrafts: {{"queue ", named}, {"person ", named}},
	TableReports: number, TableInspections: number, TableComparisons: contest, TableVotes: append(append([]keyField(nil), contest...), keyField{"sample ", 4}),
	TableCriteria: sample, TableAuthoring: sample, TableCaptions: append(append([]keyField(nil), sample...), keyField{"model ", named}), TableDetections: sample,
	TableMeasures:   {{"benchmark ", named}, {"model ", named}, {"metric ", named}},
	TableCuration:   {{"dataset ", named}, {"expert ", named}, {"act ", 4}},
	TableGrades:     append(append([]keyField(nil), judged...), keyField{"criterion ", named}, keyField{"repeat ", 4}),
	TableGradings:   {{"dataset ", named}, {"person ", named}, {"act ", 4}},
	TableGuidelines: {{"queue ", named}, {"version ", 4}}, TablePeople: {{"person ", named}, {"version ", 4}},
	TableDisclosures: {{"person ", named}, {"dataset ", named}, {"sample ", 4}, {"run ", 8}, {"pass ", 1}}, TableBatches: {{"run ", 8}, {"file ", rest}}, TablePackets: entry, TableHeads: entry, TableMeta: entry, TableSums: {{"table ", named}},
}

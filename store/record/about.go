package record

import (
	"strconv"
	"strings"
)

// singular is what a record of each table is.
var singular = map[Table]string{
	TableDatasets: "dataset", TableSamples: "sample", TableSampleIDs: "id of a sample", TablePictures: "picture", TableBlobs: "bytes of image",
	TableRuns: "run", TableConfigs: "configuration of a run", TableCounts: "totals", TablePredictions: "prediction", TableAttempts: "failed attempt at a prediction",
	TableJudgments: "judgment", TableFailed: "failed prediction", TableJudges: "totals of a judge", TableTexts: "text", TableQueues: "queue",
	TableQueueIDs: "wanted sample", TableItems: "item", TableItemKeys: "index of an item", TableActs: "act", TableItemActs: "act by item",
	TableTallies: "tally", TablePlaces: "count of labels", TableReports: "saved report", TableVotes: "vote", TableComparisons: "totals of a comparison",
	TableCriteria: "act on criteria", TableScores: "score", TableScorers: "totals of scores", TableCaptions: "caption", TableDetections: "detections",
	TableGoldItems: "known answer", TableMeasures: "score from elsewhere", TableInspections: "inspection", TableCuration: "act of curation",
	TableGrades: "grade", TableGradings: "act of grading",
	TableGuidelines: "guideline", TableDrafts: "draft of a guideline", TablePeople: "person", TableLeases: "lease", TablePackets: "packet", TablePacketItems: "item in a packet",
	TableHeads: "head of the chain", TableSums: "sum", TableDisclosures: "disclosure", TableMeta: "entry",
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
	TableCriteria: sample, TableCaptions: append(append([]keyField(nil), sample...), keyField{"model ", named}), TableDetections: sample,
	TableMeasures:   {{"benchmark ", named}, {"model ", named}, {"metric ", named}},
	TableCuration:   {{"dataset ", named}, {"expert ", named}, {"act ", 4}},
	TableGrades:     append(append([]keyField(nil), judged...), keyField{"criterion ", named}, keyField{"repeat ", 4}),
	TableGradings:   {{"dataset ", named}, {"person ", named}, {"act ", 4}},
	TableGuidelines: {{"queue ", named}, {"version ", 4}}, TablePeople: {{"person ", named}, {"version ", 4}},
	TableDisclosures: {{"person ", named}, {"dataset ", named}, {"sample ", 4}, {"run ", 8}, {"pass ", 1}}, TablePackets: entry, TableHeads: entry, TableMeta: entry, TableSums: {{"table ", named}},
}

package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/annotate"
	"concord/eval"
)

// Table names a bucket.
type Table string

// The buckets. Their names and the form of their keys are part of the schema.
const (
	TableMeta        Table = "meta"        // "format", "schema"
	TableDatasets    Table = "datasets"    // name -> Dataset
	TableSamples     Table = "samples"     // (dataset) ordinal -> Sample
	TableSampleIDs   Table = "sampleids"   // (dataset) id -> ordinal
	TablePictures    Table = "pictures"    // SHA-256 -> number of the blob
	TableBlobs       Table = "blobs"       // number -> bytes, in the order of arrival
	TableRuns        Table = "runs"        // run -> Run
	TableConfigs     Table = "configs"     // hash of the configuration -> run
	TableCounts      Table = "counts"      // run -> Counts
	TablePredictions Table = "predictions" // run ordinal pass -> Prediction
	TableAttempts    Table = "attempts"    // run ordinal pass number -> Prediction that a retry replaced
	TableJudgments   Table = "judgments"   // run ordinal pass (judge) revision -> Judgment
	TableFailed      Table = "failed"      // run ordinal pass of the predictions that are failures -> nothing
	TableJudges      Table = "judges"      // run judge -> Judge
	TableTexts       Table = "texts"       // SHA-256 -> text
	TableQueues      Table = "queues"      // name -> Queue
	TableQueueIDs    Table = "queueids"    // (queue) number -> id of a sample that its rule asks for
	TableItems       Table = "items"       // (queue) index -> Item
	TableItemKeys    Table = "itemkeys"    // (queue) item -> index
	TableActs        Table = "acts"        // (queue) (annotator) n -> Act
	TableItemActs    Table = "itemacts"    // (queue) (annotator) item n -> nothing
	TableTallies     Table = "tallies"     // (queue) (annotator) -> Tally
	TablePlaces      Table = "places"      // (queue) item -> how many people's label stands, their sides, and what they say
	TableReports     Table = "reports"     // id -> Report
	TableVotes       Table = "votes"       // run run (judge) criteria input repeat ordinal order revision -> Preference
	TableComparisons Table = "contests"    // run run (judge) criteria input repeat -> Comparison
	TableCriteria    Table = "criteria"    // (dataset) ordinal n -> Criteria
	TableAuthoring   Table = "authoring"   // (dataset) number n -> Authoring
	TableScores      Table = "scores"      // run ordinal pass (judge) revision -> Score
	TableScorers     Table = "scorers"     // run judge -> Scorer
	TableCaptions    Table = "captions"    // (dataset) ordinal (model) revision -> Caption
	TableDetections  Table = "detections"  // (dataset) ordinal revision -> Detections
	TableGoldItems   Table = "golds"       // (queue) item -> Gold
	TableMeasures    Table = "measures"    // (benchmark) (model) (metric) revision -> Measure
	TableInspections Table = "inspections" // id -> Inspection
	TableCuration    Table = "curation"    // (dataset) (expert) n -> Curation
	TableGrades      Table = "grades"      // run ordinal pass (judge) (criterion) repeat revision -> Grade
	TableGradings    Table = "gradings"    // (dataset) (person) n -> Grading
	TableGuidelines  Table = "guidelines"  // (queue) version -> Guideline, of those that are in force no more
	TableDrafts      Table = "drafts"      // (queue) (person) -> Guideline, the next version while it is written
	TablePeople      Table = "people"      // (person) version -> Person
	TableLeases      Table = "leases"      // (queue) (annotator) -> Lease
	TablePackets     Table = "packets"     // id -> Packet
	TablePacketItems Table = "packetitems" // (queue) item (packet) -> nothing, of packets that are away
	TableDisclosures Table = "disclosures" // (person) (dataset) ordinal run pass content -> Disclosure
	TableBatches     Table = "batches"     // run file -> Batch
	TableHeads       Table = "heads"       // person -> place and hash of the last act of their chain
	TableSums        Table = "sums"        // (table) group -> Sum
)

// Tables are all buckets of the present schema.
func Tables() []Table {
	return []Table{
		TableMeta, TableDatasets, TableSamples, TableSampleIDs, TablePictures, TableBlobs,
		TableRuns, TableConfigs, TableCounts, TablePredictions, TableAttempts, TableFailed,
		TableJudgments, TableJudges, TableTexts, TableQueues, TableQueueIDs, TableItems, TableItemKeys,
		TableActs, TableItemActs, TableTallies, TablePlaces, TableReports, TableVotes, TableComparisons, TableCriteria,
		TableScores, TableScorers, TableCaptions, TableDetections, TableGoldItems, TableMeasures, TableInspections, TableCuration, TableGrades, TableGradings, TableAuthoring,
		TableGuidelines, TableDrafts, TablePeople, TableLeases, TablePackets, TablePacketItems, TableDisclosures, TableBatches, TableHeads, TableSums,
	}
}

// maxName bounds the names that become parts of keys; bbolt takes keys of at most 32 KiB.
const maxName = 4096

// CheckName refuses names that cannot be a part of a key.
func CheckName(what, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: no name of a %s", ErrInvalid, what)
	case len(name) > maxName:
		return fmt.Errorf("%w: name of a %s has %d bytes, at most %d go", ErrInvalid, what, len(name), maxName)
	}
	return nil
}

// AppendName appends a name behind its length, so that one name is never the
// beginning of another. The (brackets) above mark such parts.
func AppendName(b []byte, name string) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(min(len(name), maxName)))
	return append(b, name[:min(len(name), maxName)]...)
}

// CutName takes off what appendName appended.
func CutName(b []byte) (name string, rest []byte, ok bool) {
	if len(b) < 2 {
		return "", nil, false
	}
	n := int(binary.BigEndian.Uint16(b))
	if len(b) < 2+n {
		return "", nil, false
	}
	return string(b[2 : 2+n]), b[2+n:], true
}

// AppendU32 appends a big-endian number.
func AppendU32(b []byte, n uint32) []byte { return binary.BigEndian.AppendUint32(b, n) }

// EncodeU64 gives a number as a key.
func EncodeU64(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// DecodeNumber reads a big-endian number of 4 or 8 bytes.
func DecodeNumber(b []byte) (uint64, bool) {
	switch len(b) {
	case 4:
		return uint64(binary.BigEndian.Uint32(b)), true
	case 8:
		return binary.BigEndian.Uint64(b), true
	}
	return 0, false
}

// RunKey gives the part of a key that all of a run share.
func RunKey(id eval.RunID) []byte { return EncodeU64(uint64(id)) }

// keySize is the length of an eval.Key: run 8, ordinal 4, pass 1.
const keySize = 13

// PredictionKey is the key of a prediction.
func PredictionKey(k eval.Key) []byte {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, keySize), uint64(k.Run))
	return append(AppendU32(b, uint32(k.Sample)), byte(k.Pass))
}

// CutKey reads the eval.Key that b begins with.
func CutKey(b []byte) (k eval.Key, rest []byte, ok bool) {
	if len(b) < keySize {
		return k, nil, false
	}
	k.Run = eval.RunID(binary.BigEndian.Uint64(b))
	k.Sample = eval.Ordinal(binary.BigEndian.Uint32(b[8:]))
	k.Pass = eval.Pass(b[12])
	return k, b[keySize:], true
}

// ItemSize is the length of an annotate.ItemKey: ordinal 4, pass 1, run 8, against 8. The
// sample comes first, so that all that a queue holds about one is one range.
const ItemSize = 21

// AppendItem appends an item as keys hold it.
func AppendItem(b []byte, k annotate.ItemKey) []byte {
	b = AppendU32(b, uint32(k.Sample))
	b = append(b, byte(k.Pass))
	b = binary.BigEndian.AppendUint64(b, uint64(k.Run))
	return binary.BigEndian.AppendUint64(b, uint64(k.Against))
}

// CutItem reads the annotate.ItemKey that b ends with.
func CutItem(b []byte) (k annotate.ItemKey, ok bool) {
	if len(b) < ItemSize {
		return k, false
	}
	b = b[len(b)-ItemSize:]
	k.Sample, k.Pass = eval.Ordinal(binary.BigEndian.Uint32(b)), eval.Pass(b[4])
	k.Run, k.Against = eval.RunID(binary.BigEndian.Uint64(b[5:])), eval.RunID(binary.BigEndian.Uint64(b[13:]))
	return k, true
}

// GuidelineKey is the key of a version of a queue's guideline.
func GuidelineKey(q annotate.QueueName, version int) []byte {
	return AppendU32(AppendName(nil, string(q)), uint32(version))
}

// ItemKey is the key of a queue's item.
func ItemKey(name annotate.QueueName, index int) []byte {
	return AppendU32(AppendName(nil, string(name)), uint32(index))
}

// QueueItemKey is the key of an item among those of a queue.
func QueueItemKey(q annotate.QueueName, k annotate.ItemKey) []byte {
	return AppendItem(AppendName(make([]byte, 0, 2+len(q)+ItemSize), string(q)), k)
}

// JoinKeys makes one key of its parts.
func JoinKeys(parts ...[]byte) []byte { return slices.Concat(parts...) }

// DisclosedPrefix is the part of a key that all disclosures of a sample to a person share.
func DisclosedPrefix(who annotate.Annotator, d eval.DatasetName, o eval.Ordinal) []byte {
	return AppendU32(AppendName(AppendName(nil, string(who)), string(d)), uint32(o))
}

// DamageError is something in a project that cannot be trusted. It is ErrCorrupt.
type DamageError struct {
	Table Table  // "" for what belongs to no table
	Key   []byte // of the record; nil for more than one
	Where string // the page, or what else it is if it is no record
	Why   string
	// Commit says that the last commit may be missing, and nothing else.
	Commit bool
}

// Error names what is damaged, what it concerns and what is wrong with it.
func (d *DamageError) Error() string {
	var parts []string
	if d.Where != "" {
		parts = append(parts, d.Where)
	}
	if d.Table != "" {
		what := "table " + string(d.Table)
		if d.Key != nil {
			what = fmt.Sprintf("%s (%s %x)", DescribeRecord(d.Table, d.Key), d.Table, d.Key)
		}
		parts = append(parts, what)
	}
	return fmt.Sprintf("read %s: %s: %v", strings.Join(parts, " of "), d.Why, ErrCorrupt)
}

// Unwrap is ErrCorrupt.
func (d *DamageError) Unwrap() error { return ErrCorrupt }

// NewCorruptError says what is wrong with the record or the key.
func NewCorruptError(t Table, key []byte, why string) error {
	return &DamageError{Table: t, Key: bytes.Clone(key), Why: why}
}

// Errors of bytes that cannot be trusted, and of values that have none.
var (
	// ErrCorrupt says that a page or a record is damaged.
	ErrCorrupt = errors.New("corrupt store")
	// ErrNewerRecord says that a record is of a version that this concord does not know.
	ErrNewerRecord = errors.New("record was written by a newer concord")
	// ErrInvalid says that a name or a number cannot be stored.
	ErrInvalid = errors.New("invalid")
)

// Sum is how many records a group has, and a digest of them in which their order does not matter.
type Sum struct {
	Records int
	Digest  uint64
}

// AddChecksum takes a record in, by its checksum; n is 1, or -1 to take it out.
func (s *Sum) AddChecksum(checksum uint32, n int) {
	x := uint64(checksum) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	s.Records += n
	s.Digest += uint64(n) * (x ^ x>>31)
}

// Encode gives a sum as its record's body holds it.
func (s Sum) Encode() []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(s.Records))
	return binary.BigEndian.AppendUint64(b, s.Digest)
}

// ReadSum reads what Bytes wrote, for the sum under key.
func ReadSum(key, body []byte) (Sum, error) {
	if len(body) != 16 {
		return Sum{}, NewCorruptError(TableSums, key, "no sum")
	}
	return Sum{int(binary.BigEndian.Uint64(body)), binary.BigEndian.Uint64(body[8:])}, nil
}

// SumKey gives the key of a group's sum.
func SumKey(t Table, group []byte) []byte { return append(AppendName(nil, string(t)), group...) }

// GroupKey gives the part of a key that the records of a group share: those that
// reports read together. It is empty in tables that are one group.
func GroupKey(t Table, key []byte) []byte {
	n := 0
	for _, f := range fields[t][:min(grouped[t], len(fields[t]))] {
		switch {
		case f.size == named && len(key) >= n+2:
			n += 2 + int(binary.BigEndian.Uint16(key[n:]))
		case f.size > 0:
			n += f.size
		}
	}
	return key[:min(n, len(key))]
}

// grouped is of how many parts of its keys a table's groups are.
var grouped = map[Table]int{
	TableSamples: 1, TableSampleIDs: 1, TablePredictions: 1, TableAttempts: 1, TableFailed: 1, TableJudgments: 1, TableScores: 1,
	TableJudges: 1, TableScorers: 1, TableQueueIDs: 1, TableItems: 1, TableItemKeys: 1, TablePlaces: 1, TableGoldItems: 1, TablePacketItems: 1,
	TableActs: 2, TableItemActs: 2, TableTallies: 1, TableLeases: 1, TableVotes: 6, TableCriteria: 1, TableCaptions: 1, TableDetections: 1,
	TableCuration: 2, TableGrades: 1, TableGradings: 2, TableAuthoring: 1, TableDisclosures: 1, TableGuidelines: 1, TableDrafts: 1,
}

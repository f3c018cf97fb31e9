package store

import (
	"encoding/binary"
	"fmt"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// table names a bucket.
type table string

// The buckets. Their names and the form of their keys are part of the schema.
const (
	tableMeta        table = "meta"        // "format", "schema"
	tableDatasets    table = "datasets"    // name -> datasetRecord
	tableSamples     table = "samples"     // (dataset) ordinal -> sampleRecord
	tableSampleIDs   table = "sampleids"   // (dataset) id -> ordinal
	tablePictures    table = "pictures"    // SHA-256 -> number of the blob
	tableBlobs       table = "blobs"       // number -> bytes, in the order of arrival
	tableRuns        table = "runs"        // run -> runRecord
	tableConfigs     table = "configs"     // hash of the configuration -> run
	tableCounts      table = "counts"      // run -> countsRecord
	tablePredictions table = "predictions" // run ordinal pass -> predictionRecord
	tableAttempts    table = "attempts"    // run ordinal pass number -> predictionRecord that a retry replaced
	tableJudgments   table = "judgments"   // run ordinal pass (judge) revision -> judgmentRecord
	tableFailed      table = "failed"      // run ordinal pass of the predictions that are failures -> nothing
	tableJudges      table = "judges"      // run judge -> judgeRecord
	tableTexts       table = "texts"       // SHA-256 -> text
	tableQueues      table = "queues"      // name -> queueRecord
	tableQueueIDs    table = "queueids"    // (queue) number -> id of a sample that its rule asks for
	tableItems       table = "items"       // (queue) index -> itemRecord
	tableItemKeys    table = "itemkeys"    // (queue) item -> index
	tableActs        table = "acts"        // (queue) (annotator) n -> actRecord
	tableItemActs    table = "itemacts"    // (queue) (annotator) item n -> nothing
	tableTallies     table = "tallies"     // (queue) (annotator) -> tallyRecord
	tablePlaces      table = "places"      // (queue) item -> how many people's label stands, their sides, and what they say
	tableReports     table = "reports"     // id -> reportRecord
	tableVotes       table = "votes"       // run run (judge) criteria input repeat ordinal order revision -> preferenceRecord
	tableContests    table = "contests"    // run run (judge) criteria input repeat -> contestRecord
	tableCriteria    table = "criteria"    // (dataset) ordinal n -> criteriaRecord
	tableScores      table = "scores"      // run ordinal pass (judge) revision -> scoreRecord
	tableScorers     table = "scorers"     // run judge -> scorerRecord
	tableCaptions    table = "captions"    // (dataset) ordinal (model) revision -> captionRecord
	tableDetections  table = "detections"  // (dataset) ordinal revision -> detectionsRecord
	tableGolds       table = "golds"       // (queue) item -> goldRecord
	tableMeasures    table = "measures"    // (benchmark) (model) (metric) revision -> measureRecord
	tableInspections table = "inspections" // id -> inspectionRecord
	tableCuration    table = "curation"    // (dataset) (expert) n -> curationRecord
	tableGuidelines  table = "guidelines"  // (queue) version -> guidelineRecord, of those that are in force no more
	tablePeople      table = "people"      // (person) version -> personRecord
	tableLeases      table = "leases"      // (queue) (annotator) -> leaseRecord
	tablePackets     table = "packets"     // id -> packetRecord
	tablePacketItems table = "packetitems" // (queue) item (packet) -> nothing, of packets that are away
)

// tables are all buckets of the present schema.
func tables() []table {
	return []table{
		tableMeta, tableDatasets, tableSamples, tableSampleIDs, tablePictures, tableBlobs,
		tableRuns, tableConfigs, tableCounts, tablePredictions, tableAttempts, tableFailed,
		tableJudgments, tableJudges, tableTexts, tableQueues, tableQueueIDs, tableItems, tableItemKeys,
		tableActs, tableItemActs, tableTallies, tablePlaces, tableReports, tableVotes, tableContests, tableCriteria,
		tableScores, tableScorers, tableCaptions, tableDetections, tableGolds, tableMeasures, tableInspections, tableCuration,
		tableGuidelines, tablePeople, tableLeases, tablePackets, tablePacketItems,
	}
}

// maxName bounds the names that become parts of keys; bbolt takes keys of at
// most 32 KiB.
const maxName = 4096

// checkName refuses names that cannot be a part of a key.
func checkName(what, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: no name of a %s", ErrInvalid, what)
	case len(name) > maxName:
		return fmt.Errorf("%w: name of a %s has %d bytes, at most %d go", ErrInvalid, what, len(name), maxName)
	}
	return nil
}

// appendName appends a name behind its length, so that one name is never the
// beginning of another. The (brackets) above mark such parts.
func appendName(b []byte, name string) []byte {
	b = binary.BigEndian.AppendUint16(b, uint16(min(len(name), maxName)))
	return append(b, name[:min(len(name), maxName)]...)
}

// cutName takes off what appendName appended.
func cutName(b []byte) (name string, rest []byte, ok bool) {
	if len(b) < 2 {
		return "", nil, false
	}
	n := int(binary.BigEndian.Uint16(b))
	if len(b) < 2+n {
		return "", nil, false
	}
	return string(b[2 : 2+n]), b[2+n:], true
}

func appendU32(b []byte, n uint32) []byte { return binary.BigEndian.AppendUint32(b, n) }

func u64(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// number reads a big-endian number of 4 or 8 bytes.
func number(b []byte) (uint64, bool) {
	switch len(b) {
	case 4:
		return uint64(binary.BigEndian.Uint32(b)), true
	case 8:
		return binary.BigEndian.Uint64(b), true
	}
	return 0, false
}

func runKey(id eval.RunID) []byte { return u64(uint64(id)) }

// keySize is the length of an eval.Key: run 8, ordinal 4, pass 1.
const keySize = 13

func appendKey(b []byte, k eval.Key) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(k.Run))
	b = binary.BigEndian.AppendUint32(b, uint32(k.Sample))
	return append(b, byte(k.Pass))
}

func predictionKey(k eval.Key) []byte { return appendKey(make([]byte, 0, keySize), k) }

// cutKey reads the eval.Key that b begins with.
func cutKey(b []byte) (k eval.Key, rest []byte, ok bool) {
	if len(b) < keySize {
		return k, nil, false
	}
	k.Run = eval.RunID(binary.BigEndian.Uint64(b))
	k.Sample = eval.Ordinal(binary.BigEndian.Uint32(b[8:]))
	k.Pass = eval.Pass(b[12])
	return k, b[keySize:], true
}

// itemSize is the length of an annotate.ItemKey: ordinal 4, pass 1, run 8,
// against 8. The sample comes first, so that all that a queue holds about one
// is one range.
const itemSize = 21

func appendItem(b []byte, k annotate.ItemKey) []byte {
	b = appendU32(b, uint32(k.Sample))
	b = append(b, byte(k.Pass))
	b = binary.BigEndian.AppendUint64(b, uint64(k.Run))
	return binary.BigEndian.AppendUint64(b, uint64(k.Against))
}

// cutItem reads the annotate.ItemKey that b ends with.
func cutItem(b []byte) (k annotate.ItemKey, ok bool) {
	if len(b) < itemSize {
		return k, false
	}
	b = b[len(b)-itemSize:]
	k.Sample, k.Pass = eval.Ordinal(binary.BigEndian.Uint32(b)), eval.Pass(b[4])
	k.Run, k.Against = eval.RunID(binary.BigEndian.Uint64(b[5:])), eval.RunID(binary.BigEndian.Uint64(b[13:]))
	return k, true
}

// enrolKey is the key of an item among those of a queue.
func enrolKey(q annotate.QueueName, k annotate.ItemKey) []byte {
	return appendItem(appendName(make([]byte, 0, 2+len(q)+itemSize), string(q)), k)
}

// join makes one key of its parts.
func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

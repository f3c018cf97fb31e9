package record

import "encoding/binary"

// Sum is how many records a group has, and a digest of them in which their
// order does not matter.
type Sum struct {
	Records int
	Digest  uint64
}

// Add takes a record in, by its checksum; n is 1, or -1 to take it out.
func (s *Sum) Add(checksum uint32, n int) {
	x := uint64(checksum) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	s.Records += n
	s.Digest += uint64(n) * (x ^ x>>31)
}

// Bytes are a sum as its record's body holds it.
func (s Sum) Bytes() []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(s.Records))
	return binary.BigEndian.AppendUint64(b, s.Digest)
}

// ReadSum reads what Bytes wrote, for the sum under key.
func ReadSum(key, body []byte) (Sum, error) {
	if len(body) != 16 {
		return Sum{}, Corrupt(TableSums, key, "no sum")
	}
	return Sum{int(binary.BigEndian.Uint64(body)), binary.BigEndian.Uint64(body[8:])}, nil
}

// SumKey is the key of a group's sum.
func SumKey(t Table, group []byte) []byte { return append(AppendName(nil, string(t)), group...) }

// Group is the part of a key that the records of a group share: those that
// reports read together. It is empty in tables that are one group.
func Group(t Table, key []byte) []byte {
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
	TableCuration: 2, TableGrades: 1, TableGradings: 2, TableDisclosures: 1, TableGuidelines: 1, TableDrafts: 1,
}

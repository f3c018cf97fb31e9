package record

import (
	"encoding/binary"
	"maps"
	"slices"

	"concord/annotate"
	"concord/eval"
)

// Act is the record of an act; the queue, the annotator and the number
// stand in its key.
type Act struct {
	Run        uint64   `cbor:"1,keyasint,omitempty" of:"Item.Run"`
	Sample     uint32   `cbor:"2,keyasint,omitempty" of:"Item.Sample"`
	Pass       uint8    `cbor:"3,keyasint,omitempty" of:"Item.Pass"`
	Kind       uint8    `cbor:"4,keyasint,omitempty"`
	Verdict    uint8    `cbor:"5,keyasint,omitempty" of:"Reading.Verdict"`
	Choice     string   `cbor:"6,keyasint,omitempty" of:"Reading.Choice"`
	Several    []string `cbor:"7,keyasint,omitempty" of:"Reading.Several"`
	Reason     string   `cbor:"8,keyasint,omitempty"`
	Confidence float64  `cbor:"9,keyasint,omitempty"`
	Text       string   `cbor:"10,keyasint,omitempty"`
	Target     uint32   `cbor:"11,keyasint,omitempty"`
	Imported   bool     `cbor:"12,keyasint,omitempty"`
	At         int64    `cbor:"13,keyasint,omitempty"`
	Spent      int64    `cbor:"14,keyasint,omitempty"` // nanoseconds
	Against    uint64   `cbor:"15,keyasint,omitempty" of:"Item.Against"`
	Informed   bool     `cbor:"16,keyasint,omitempty"`
	Vote       uint8    `cbor:"17,keyasint,omitempty" of:"Reading.Vote"`
	Swapped    bool     `cbor:"18,keyasint,omitempty" of:"Reading.Swapped"`
	Criteria   string   `cbor:"19,keyasint,omitempty" of:"Reading.Criteria"`
	Score      int      `cbor:"20,keyasint,omitempty" of:"Reading.Score"`
	Cause      uint8    `cbor:"21,keyasint,omitempty"`
	Guideline  int      `cbor:"22,keyasint,omitempty"`
	Decoy      bool     `cbor:"23,keyasint,omitempty"`
	Whose      string   `cbor:"24,keyasint,omitempty"`
	Matter     uint8    `cbor:"25,keyasint,omitempty"`
	Grades     []Given  `cbor:"26,keyasint,omitempty" of:"Reading.Grades"`
	Chained
}

// Given is the record of a grade that a person gives in a queue.
type Given struct {
	Criterion string `cbor:"1,keyasint,omitempty"`
	Hash      string `cbor:"2,keyasint,omitempty"`
	Verdict   uint8  `cbor:"3,keyasint,omitempty"`
}

// ItemOf is the item that the fields of a record name.
func ItemOf(run uint64, sample uint32, pass uint8, against uint64) annotate.ItemKey {
	return annotate.ItemKey{
		Key:     eval.Key{Run: eval.RunID(run), Sample: eval.Ordinal(sample), Pass: eval.Pass(pass)},
		Against: eval.RunID(against),
	}
}

// Stream is the part of a key that acts of one annotator in one queue share.
func Stream(q annotate.QueueName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(q)), string(who))
}

// FromCrowd is 4 bytes of people, 4 of sides behind them where the two
// orders are not balanced or classes follow, and, in queues that ask for extra
// people where labels differ, the classes in order, each with 4 bytes of how
// many say so.
func FromCrowd(c annotate.Crowd) []byte {
	b := AppendU32(nil, uint32(c.People))
	if c.Sides != 0 || len(c.Classes) > 0 {
		b = AppendU32(b, uint32(int32(c.Sides)))
	}
	for _, class := range slices.Sorted(maps.Keys(c.Classes)) {
		b = AppendU32(AppendName(b, class), uint32(c.Classes[class]))
	}
	return b
}

// ReadCrowd reads what FromCrowd wrote, for the item under key.
func ReadCrowd(key, raw []byte) (c annotate.Crowd, err error) {
	wrong := Corrupt(TablePlaces, key, "no count of an item")
	if len(raw) < 4 || len(raw) > 4 && len(raw) < 8 {
		return c, wrong
	}
	c.People = int(binary.BigEndian.Uint32(raw))
	if raw = raw[4:]; len(raw) == 0 {
		return c, nil
	}
	c.Sides = int(int32(binary.BigEndian.Uint32(raw)))
	for raw = raw[4:]; len(raw) > 0; {
		class, rest, ok := CutName(raw)
		if !ok || len(rest) < 4 {
			return c, wrong
		}
		if c.Classes == nil {
			c.Classes = make(map[string]int)
		}
		c.Classes[class], raw = int(binary.BigEndian.Uint32(rest)), rest[4:]
	}
	return c, nil
}

// Tally is the record of a Tally.
type Tally struct {
	Acts     uint32 `cbor:"1,keyasint,omitempty"`
	Labelled int    `cbor:"2,keyasint,omitempty"`
	Skipped  int    `cbor:"3,keyasint,omitempty"`
	Flagged  int    `cbor:"4,keyasint,omitempty"`
}

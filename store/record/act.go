package record

import (
	"encoding/binary"
	"maps"
	"slices"

	"concord/annotate"
)

// StreamPrefix is the part of a key that acts of one annotator in one queue share.
func StreamPrefix(q annotate.QueueName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(q)), string(who))
}

// EncodeCrowd is 4 bytes of people, 4 of sides behind them where the two
// orders are not balanced or classes follow, and, in queues that ask for extra
// people where labels differ, the classes in order, each with 4 bytes of how
// many say so.
func EncodeCrowd(c annotate.Crowd) []byte {
	b := AppendU32(nil, uint32(c.People))
	if c.Sides != 0 || len(c.Classes) > 0 {
		b = AppendU32(b, uint32(int32(c.Sides)))
	}
	for _, class := range slices.Sorted(maps.Keys(c.Classes)) {
		b = AppendU32(AppendName(b, class), uint32(c.Classes[class]))
	}
	return b
}

// ReadCrowd reads what EncodeCrowd wrote, for the item under key.
func ReadCrowd(key, raw []byte) (c annotate.Crowd, err error) {
	wrong := NewCorruptError(TablePlaces, key, "no count of an item")
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

package record

import (
	"encoding/binary"
	"hash/crc32"
)

// Envelope stands before every value: its own version, and a checksum over the
// table, the key and the body. No text in UTF-8 begins with it, and six bits and more
// keep it from RecordVersion and from 0,
// with which values of before the envelope begin.
const Envelope = 0xFA

// EnvelopeSize is how many bytes stand before the body: Envelope, and CRC-32C.
const EnvelopeSize = 5

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// names holds the checksum of each table's name, with which that of a record begins.
var names = func() map[Table]uint32 {
	m := make(map[Table]uint32)
	for _, t := range Tables() {
		m[t] = crc32.Checksum([]byte(t), castagnoli)
	}
	return m
}()

// ComputeChecksum computes that of a record: over its table, the length of its key, the key
// and the body.
func ComputeChecksum(t Table, key, body []byte) uint32 {
	c := names[t]
	n := [2]byte{byte(len(key) >> 8), byte(len(key))}
	c = crc32.Update(c, castagnoli, n[:])
	c = crc32.Update(c, castagnoli, key)
	return crc32.Update(c, castagnoli, body)
}

// Seal puts a body into an envelope, and gives the record's checksum.
func Seal(t Table, key, body []byte) (value []byte, sum uint32) {
	sum = ComputeChecksum(t, key, body)
	value = make([]byte, 0, EnvelopeSize+len(body))
	value = append(value, Envelope)
	value = binary.BigEndian.AppendUint32(value, sum)
	return append(value, body...), sum
}

// Unseal gives the body of a value and the checksum of the record. It gives a
// *DamageError when the checksum is another one. A value without an envelope is its
// own body where the project may hold such values (bare), unless it only lost
// the first byte of one.
func Unseal(t Table, key, value []byte, bare bool) (body []byte, sum uint32, err error) {
	if isSealed(t, key, value) {
		return value[EnvelopeSize:], binary.BigEndian.Uint32(value[1:]), nil
	}
	switch {
	case len(value) > 0 && value[0] == Envelope && (!bare || !isFreeForm(t)):
		return nil, 0, NewCorruptError(t, key, "its checksum is that of other bytes")
	case !bare:
		return nil, 0, NewCorruptError(t, key, "it has no checksum")
	case isWholeEnvelope(t, key, value):
		return nil, 0, NewCorruptError(t, key, "its version is damaged")
	}
	return value, ComputeChecksum(t, key, value), nil
}

// isSealed reports whether a value is an envelope around what its checksum says.
func isSealed(t Table, key, value []byte) bool {
	return len(value) >= EnvelopeSize && value[0] == Envelope && isWholeEnvelope(t, key, value)
}

// isWholeEnvelope reports whether all of an envelope but its first byte is as it was written.
func isWholeEnvelope(t Table, key, value []byte) bool {
	return len(value) >= EnvelopeSize && binary.BigEndian.Uint32(value[1:]) == ComputeChecksum(t, key, value[EnvelopeSize:])
}

// isFreeForm reports whether a value of a table may begin with any byte: bytes of
// pictures and texts, which their hash vouches for.
func isFreeForm(t Table) bool { return t == TableBlobs || t == TableTexts }

// TableOf finds the table that a sealed record belongs to, whose page is
// reached from nowhere any more.
func TableOf(key, value []byte) (Table, bool) {
	for _, t := range Tables() {
		if isSealed(t, key, value) {
			return t, true
		}
	}
	return "", false
}

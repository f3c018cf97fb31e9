package record

import "concord/annotate"

// Lease is the item that one annotator has in front of them in a queue.
type Lease struct {
	Run     uint64 `cbor:"1,keyasint,omitempty"`
	Sample  uint32 `cbor:"2,keyasint,omitempty"`
	Pass    uint8  `cbor:"3,keyasint,omitempty"`
	Against uint64 `cbor:"4,keyasint,omitempty"`
	Until   int64  `cbor:"5,keyasint,omitempty"`
}

// Person is a version of a person; the name and the version stand in its
// key.
type Person struct {
	Role uint8    `cbor:"1,keyasint,omitempty"`
	Keys []string `cbor:"2,keyasint,omitempty"`
	By   string   `cbor:"3,keyasint,omitempty"`
	At   int64    `cbor:"4,keyasint,omitempty"`
}

// PersonKey is the key of a version of a person.
func PersonKey(who annotate.Annotator, version int) []byte {
	return AppendU32(AppendName(nil, string(who)), uint32(version))
}

package record

import (
	"encoding/binary"

	"concord/annotate"
	"concord/eval"
)

// Disclosure is the record of what a person was shown; who, of what, and which
// content stand in its key.
type Disclosure struct {
	At     int64  `cbor:"1,keyasint,omitempty"`
	Screen string `cbor:"2,keyasint,omitempty"`
}

// FromDisclosure makes the record of a disclosure.
func FromDisclosure(d *annotate.Disclosure) Disclosure {
	return Disclosure{At: Millis(d.At), Screen: d.Screen}
}

// DisclosureKey is the key of a disclosure. The sample comes before the run, so
// that all that a person was shown of a sample is one range.
func DisclosureKey(d *annotate.Disclosure) []byte {
	b := DisclosedKey(d.Person, d.Dataset, d.Key.Sample)
	b = binary.BigEndian.AppendUint64(b, uint64(d.Key.Run))
	return append(b, byte(d.Key.Pass), byte(d.Content))
}

// DisclosedKey is the part of a key that all disclosures of a sample to a
// person share.
func DisclosedKey(who annotate.Annotator, d eval.DatasetName, o eval.Ordinal) []byte {
	return AppendU32(AppendName(AppendName(nil, string(who)), string(d)), uint32(o))
}

// CutDisclosure reads the key of a disclosure.
func CutDisclosure(b []byte) (d annotate.Disclosure, ok bool) {
	who, b, named := CutName(b)
	dataset, b, known := CutName(b)
	if !named || !known || len(b) != 14 {
		return d, false
	}
	return annotate.Disclosure{
		Person: annotate.Annotator(who), Dataset: eval.DatasetName(dataset), Content: annotate.Content(b[13]),
		Key: eval.Key{
			Sample: eval.Ordinal(binary.BigEndian.Uint32(b)), Run: eval.RunID(binary.BigEndian.Uint64(b[4:])), Pass: eval.Pass(b[12]),
		},
	}, true
}

package record

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packedFrom is how many bytes a text has at least that is stored compressed, where that is smaller.
const packedFrom = 513

// mostUnpacked bounds what a compressed text takes. A reply is at most a quarter of it.
const mostUnpacked = 64 << 20

// The compressor and its reverse are set up by who first needs them, and may be used by many at once.
var (
	packer = sync.OnceValues(func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<18))
	})
	unpacker = sync.OnceValues(func() (*zstd.Decoder, error) {
		return zstd.NewReader(nil, zstd.WithDecoderMaxMemory(mostUnpacked), zstd.WithDecoderLowmem(true))
	})
)

// packText gives a text as it is, or compressed (Zstandard, RFC 8878).
func packText(s string) (plain string, packed []byte) {
	if len(s) < packedFrom || len(s) > mostUnpacked {
		return s, nil
	}
	enc, err := packer()
	if err != nil {
		return s, nil
	}
	if packed = enc.EncodeAll([]byte(s), nil); len(packed) >= len(s) {
		return s, nil
	}
	return "", packed
}

// PackTexts gives the bytes of a stored value with its long texts compressed, where they were stored before that
// was done and take less room so. A record with fields that only later programs know stays as it is.
func (c Codec) PackTexts(t Table, raw []byte) []byte {
	var r Prediction
	if t != TablePredictions && t != TableAttempts || len(raw) < packedFrom || raw[0] != RecordVersion || c.dec.Unmarshal(raw[1:], &r) != nil {
		return raw
	}
	if known, err := c.Encode(r); err != nil || !bytes.Equal(known, raw) {
		return raw
	}
	for _, of := range []struct {
		text   *string
		packed *[]byte
	}{{&r.Text, &r.Packed}, {&r.Thought, &r.PackedThought}} {
		if *of.text != "" {
			*of.text, *of.packed = packText(*of.text)
		}
	}
	if b, err := c.Encode(r); err == nil && len(b) < len(raw) {
		return b
	}
	return raw
}

// unpackText puts a compressed text in the place of the plain one.
func unpackText(to *string, packed *[]byte) error {
	if len(*packed) == 0 {
		return nil
	}
	dec, err := unpacker()
	if err != nil {
		return err
	}
	b, err := dec.DecodeAll(*packed, nil)
	if err != nil {
		return err
	}
	*to, *packed = string(b), nil
	return nil
}

package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/annotate/packet"
	"concord/eval"
)

// RecordVersion stands before every record. A field may be added to a record that is written
// once (a sample, a prediction, a judgment, an item, an act, a report) without a new version:
// an older concord skips it, and leaves it where it is. A record that is rewritten (a dataset,
// a run and its counts, a queue, a tally) would lose it to the first older concord that opens
// the project, so a new field there raises the schema number, which shuts that one out. The
// version is raised, with a migration, when a field changes its meaning.
const RecordVersion = 1

// Codec encodes and decodes records. Strings are written as byte strings:
// text from models and files need not be valid UTF-8, and is kept as it came.
type Codec struct {
	enc cbor.EncMode
	dec cbor.DecMode
}

// NewCodec sets the codec up.
func NewCodec() (Codec, error) {
	options := cbor.CoreDetEncOptions()
	options.String = cbor.StringToByteString
	enc, err := options.EncMode()
	if err != nil {
		return Codec{}, fmt.Errorf("set up encoder: %w", err)
	}
	dec, err := cbor.DecOptions{
		ByteStringToString: cbor.ByteStringToStringAllowed,
		MaxArrayElements:   1 << 24,
	}.DecMode()
	return Codec{enc: enc, dec: dec}, eval.WrapError(err, "set up decoder")
}

// EncodeBare encodes a record without its version.
func (c Codec) EncodeBare(record any) ([]byte, error) {
	b, err := c.enc.Marshal(record)
	return b, eval.WrapError(err, "encode record")
}

// Encode gives the bytes of a record, behind its version.
func (c Codec) Encode(record any) ([]byte, error) {
	b, err := c.EncodeBare(record)
	return append([]byte{RecordVersion}, b...), err
}

// Decode reads the record that stands under key in t. Its errors name both.
func (c Codec) Decode(t Table, key, raw []byte, record any) error {
	switch {
	case len(raw) == 0 || raw[0] == 0:
		return NewCorruptError(t, key, "no version")
	case raw[0] > RecordVersion:
		return fmt.Errorf("read %s %x: version %d: %w", t, key, raw[0], ErrNewerRecord)
	}
	var err error
	if !readCommonFields(raw[1:], record) {
		err = c.dec.Unmarshal(raw[1:], record)
	}
	if p, ok := record.(*Prediction); ok && err == nil {
		err = errors.Join(unpackText(&p.Text, &p.Packed), unpackText(&p.Thought, &p.PackedThought))
	}
	if err != nil {
		return NewCorruptError(t, key, err.Error())
	}
	return nil
}

// mendFailure reads a failed call that was stored as the sample's own although the
// reply was no answer at all as what it was: a failure of the endpoint.
func mendFailure(f *eval.Failure) {
	if f != nil && f.Kind == eval.FailureSample && isNoAnswer(f) {
		f.Kind = eval.FailureTransient
	}
}

// unanswered are the words of failures that were once stored as the sample's own: replies of
// status 200 that hold no answer. What is stored now as the sample's own has other words.
var unanswered = []string{
	": reply without a choice",
	": malformed reply: ",
	": malformed event in the stream",
	" instead of the API's: is the base URL right?",
	": endless stream",
	": neither a response nor an error",
	": reply of more than ",
}

// isNoAnswer reports whether a failure is of a reply that was no answer. An error object inside status
// 200 was stored with the number that it named, or 422: such a one cannot be told from a refusal with
// that status, and both are asked again once. A refusal is stored as "refused with HTTP status" since.
func isNoAnswer(f *eval.Failure) bool {
	if slices.ContainsFunc(unanswered, func(w string) bool { return strings.Contains(f.Message, w) }) {
		return true
	}
	inside := f.Status == 422 || f.Status != 0 && strings.HasSuffix(f.Message, fmt.Sprintf(" [%d]", f.Status))
	return inside && strings.Contains(f.Message, ": HTTP status ")
}

// ToMillis gives how a time is stored: UTC milliseconds, 0 for no time.
func ToMillis(t time.Time) int64 { return eval.Either(t.IsZero(), 0, t.UnixMilli()) }

// FromMillis gives the time that Millis stored.
func FromMillis(ms int64) time.Time {
	return eval.Either(ms == 0, time.Time{}, time.UnixMilli(ms).UTC())
}

// PacketItemKey is the key of an item that a packet has taken along.
func PacketItemKey(p *packet.Packet, k annotate.ItemKey) []byte {
	return AppendName(QueueItemKey(p.Queue, k), p.ID)
}

// JudgeOf names a judge of a run.
type JudgeOf struct {
	Run   eval.RunID
	Judge string
}

// Envelope stands before every value: its own version, and a checksum over the table, the key
// and the body. No text in UTF-8 begins with it, and six bits and more keep it from
// RecordVersion and from 0, with which values of before the envelope begin.
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

// Unseal gives the body of a value and the checksum of the record. It gives a *DamageError when
// the checksum is another one. A value without an envelope is its own body where the project
// may hold such values (bare), unless it only lost the first byte of one.
func Unseal(t Table, key, value []byte, bare bool) (body []byte, sum uint32, err error) {
	if isSealed(t, key, value) {
		return value[EnvelopeSize:], binary.BigEndian.Uint32(value[1:]), nil
	}
	switch {
	case len(value) > 0 && value[0] == Envelope && (!bare || t != TableBlobs && t != TableTexts): // these may begin with any byte
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

// TableOf finds the table that a sealed record belongs to, whose page is reached from nowhere any more.
func TableOf(key, value []byte) (Table, bool) {
	for _, t := range Tables() {
		if isSealed(t, key, value) {
			return t, true
		}
	}
	return "", false
}

// BoundAct is a record of an act and what binds it to the one that its person did
// before it. Acts of before there were chains are bound to none.
type BoundAct struct {
	Record        any // a pointer
	place, before reflect.Value
	form          func(key []byte) (chain.Form, bool)
}

// SetLink makes the record that of a bound act, or, with no link, of one that is not.
func (b *BoundAct) SetLink(l chain.Link) {
	b.place.SetUint(l.Place)
	b.before.SetBytes(nil)
	if l.Place > 0 {
		b.before.SetBytes(l.Before[:])
	}
}

// Link is what binds the act. A hash of another length is none that fits.
func (b *BoundAct) Link() (l chain.Link) {
	l.Place = b.place.Uint()
	if before := b.before.Bytes(); len(before) == len(l.Before) {
		copy(l.Before[:], before)
	}
	return l
}

// Form is the act in its canonical form, of the record under key. It is of the
// act as it is read back, so that what is hashed is what is stored.
func (b *BoundAct) Form(key []byte) (chain.Form, bool) { return b.form(key) }

// ToBound gives the record of an act.
func (k *Kind[T]) ToBound(act *T) *BoundAct { return k.newBound(k.toRecord(act)) }

// newBound is of a record that ends with a link.
func (k *Kind[T]) newBound(r reflect.Value) *BoundAct {
	n := r.Elem().NumField()
	return &BoundAct{r.Interface(), r.Elem().Field(n - 2), r.Elem().Field(n - 1), func(key []byte) (f chain.Form, ok bool) {
		act, ok := k.fromRecord(key, r)
		if ok {
			f = k.form(&act)
		}
		return f, ok
	}}
}

// NewBound gives an empty record of a table of acts.
func NewBound(t Table) *BoundAct { return bounds[t]() }

var bounds = map[Table]func() *BoundAct{
	TableActs: Acts.emptyBound, TableCriteria: CriteriaActs.emptyBound, TableCuration: CurationActs.emptyBound, TableGradings: Gradings.emptyBound,
	TableAuthoring: AuthoringActs.emptyBound,
}

func (k *Kind[T]) emptyBound() *BoundAct { return k.newBound(reflect.New(k.mapping.record)) }

// ActTables are the tables of acts, in the order in which the acts of before the chains are hashed.
func ActTables() []Table {
	return []Table{TableActs, TableCriteria, TableCuration, TableGradings, TableAuthoring}
}

// EncodeHead is 8 bytes of the head's place, and its hash.
func EncodeHead(h chain.Head) []byte { return append(EncodeU64(h.Place), h.Hash[:]...) }

// ReadHead reads what EncodeHead wrote, for the head under key.
func ReadHead(key, raw []byte) (h chain.Head, err error) {
	if len(raw) != 8+len(h.Hash) {
		return h, NewCorruptError(TableHeads, key, "no head of a chain")
	}
	h.Place, _ = DecodeNumber(raw[:8])
	copy(h.Hash[:], raw[8:])
	return h, nil
}

// ExpertPrefix is the part of a key that acts of one expert in one dataset share.
func ExpertPrefix(d eval.DatasetName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(d)), string(who))
}

// StreamPrefix is the part of a key that acts of one annotator in one queue share.
func StreamPrefix(q annotate.QueueName, who annotate.Annotator) []byte {
	return AppendName(AppendName(nil, string(q)), string(who))
}

// EncodeCrowd is 4 bytes of people, 4 of sides behind them where the two orders are not
// balanced or classes follow, and, in queues that ask for extra people where labels differ, the
// classes in order, each with 4 bytes of how many say so.
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
		eval.EnsureMap(&c.Classes)[class], raw = int(binary.BigEndian.Uint32(rest)), rest[4:]
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

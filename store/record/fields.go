package record

import (
	"encoding/binary"
	"iter"
)

// fieldReader reads a record of samples or predictions as the codec writes it: a map of ascending numbers to
// numbers, byte strings, arrays and such maps. What else it meets makes it bad, and the codec reads the
// record. It takes a sixth of the codec's time, which was a tenth of that of building columns.
type fieldReader struct {
	raw []byte
	bad bool
}

// readValueHead reads what stands before a value of that kind: its number, its length or how many there are.
func (f *fieldReader) readValueHead(kind byte) (n uint64) {
	if len(f.raw) == 0 || f.raw[0]>>5 != kind {
		f.bad = true
		return 0
	}
	n, f.raw = uint64(f.raw[0]&0x1f), f.raw[1:]
	switch {
	case n == 24 && len(f.raw) >= 1:
		n, f.raw = uint64(f.raw[0]), f.raw[1:]
	case n == 25 && len(f.raw) >= 2:
		n, f.raw = uint64(binary.BigEndian.Uint16(f.raw)), f.raw[2:]
	case n == 26 && len(f.raw) >= 4:
		n, f.raw = uint64(binary.BigEndian.Uint32(f.raw)), f.raw[4:]
	case n == 27 && len(f.raw) >= 8:
		n, f.raw = binary.BigEndian.Uint64(f.raw), f.raw[8:]
	case n >= 24:
		f.bad = true
	}
	return n
}

// The kinds of values.
const (
	kindNumber = 0
	kindBytes  = 2
	kindList   = 4
	kindMap    = 5
)

// eachField yields the numbers of a map's fields, up to most, each to be read before the next.
func (f *fieldReader) eachField(most int) iter.Seq[int] {
	return func(yield func(int) bool) {
		last := 0
		for n := f.readValueHead(kindMap); n > 0 && !f.bad; n-- {
			field := int(f.readNumber(uint64(most)))
			if f.bad = f.bad || field <= last; f.bad || !yield(field) {
				return
			}
			last = field
		}
	}
}

// readFlat reads a map of texts and numbers into what stands at the fields' numbers.
func (f *fieldReader) readFlat(to ...any) {
	for field := range f.eachField(len(to) - 1) {
		f.readScalar(to[field])
	}
}

func (f *fieldReader) readScalar(to any) {
	switch to := to.(type) {
	case *string:
		*to = f.readText()
	case *uint8:
		*to = uint8(f.readNumber(0xff))
	case *int:
		*to = int(f.readNumber(1<<31 - 1))
	case *int64:
		*to = int64(f.readNumber(1<<63 - 1))
	case *[]byte:
		*to = []byte(f.readText())
	case *[]string:
		*to = readList(f, func(s *string) { *s = f.readText() })
	default:
		f.bad = true
	}
}

// readRecord reads a map into what stands at the fields' numbers: nil for one that is left to the codec.
func (f *fieldReader) readRecord(to ...any) {
	for field := range f.eachField(len(to) - 1) {
		switch to := to[field].(type) {
		case *[]Option:
			*to = readList(f, func(o *Option) { f.readFlat(nil, &o.Letter, &o.Text) })
		case *[]Picture:
			*to = readList(f, func(p *Picture) { f.readFlat(nil, &p.Hash, &p.Name) })
		case *[]Column:
			*to = readList(f, func(c *Column) { f.readFlat(nil, &c.Name, &c.Value) })
		case **Shown:
			*to = new(Shown)
			for field := range f.eachField(2) {
				if field == 2 {
					(*to).Answer = f.readText()
					continue
				}
				(*to).Options = readList(f, func(o *Option) { f.readFlat(nil, &o.Letter, &o.Text) })
			}
		case **Sent:
			s := new(Sent)
			*to = s
			f.readFlat(nil, &s.Images, &s.Lacking, &s.Shots, &s.Prompt, &s.Params, &s.Worker, &s.Endpoint)
		default:
			f.readScalar(to)
		}
	}
}

// readNumber reads a number up to a limit.
func (f *fieldReader) readNumber(limit uint64) uint64 {
	n := f.readValueHead(kindNumber)
	f.bad = f.bad || n > limit
	return n
}

func (f *fieldReader) readText() string {
	n := f.readValueHead(kindBytes)
	if f.bad || n > uint64(len(f.raw)) {
		f.bad = true
		return ""
	}
	text := string(f.raw[:n]) // of its own: who keeps a letter does not keep the question
	f.raw = f.raw[n:]
	return text
}

// readList reads values with read. An empty list is not written.
func readList[T any](f *fieldReader, read func(*T)) []T {
	n := f.readValueHead(kindList)
	if f.bad || n == 0 || n > uint64(len(f.raw)) {
		f.bad = true
		return nil
	}
	list := make([]T, n)
	for i := range list {
		read(&list[i])
	}
	return list
}

// readCommonFields reads a record of those of which there are most, where it has none but common fields, or
// leaves it empty.
func readCommonFields(raw []byte, record any) bool {
	switch r := record.(type) {
	case *Sample:
		f := fieldReader{raw: raw}
		f.readRecord(nil, &r.ID, &r.Kind, &r.Question, &r.Hint, &r.Options, &r.Answer, &r.Pictures, &r.Taxonomy, &r.Split, &r.Source, nil, &r.Type, &r.Columns)
		if f.isWhole() {
			return true
		}
		*r = Sample{}
	case *Prediction:
		f := fieldReader{raw: raw}
		f.readRecord(nil, &r.Text, &r.Shown, &r.Finish, &r.Prompt, &r.Completion, &r.Reasoning, &r.Latency, &r.At, nil, nil, nil, &r.Thought, nil, nil, &r.Served, &r.Sent, &r.Cached, nil, &r.Packed, &r.PackedThought)
		if f.isWhole() {
			return true
		}
		*r = Prediction{}
	}
	return false
}

// isWhole reports whether all of the record was read.
func (f *fieldReader) isWhole() bool { return !f.bad && len(f.raw) == 0 }

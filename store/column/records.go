package column

import (
	"context"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"concord/eval"
)

// Records are those of one kind: what many of them share stands once, beside the numbers that tell
// them apart.
type Records[T any] struct {
	Kinds   []T       // each once, without its numbers
	Which   []uint32  // of Kinds, by record
	Numbers [][]int64 // by field of the layout, then by record

	known map[string]uint32
}

// Layout names the fields of records that are numbers of their own: integers, fractions and times.
type Layout struct {
	fields [][]int
	shape  string // of the records: other ones would be read as something else
}

// NewLayout finds the fields by their names, those of structs within behind a dot.
func NewLayout[T any](names string) *Layout {
	l := &Layout{shape: names + describeType(reflect.TypeFor[T]())}
	for name := range strings.FieldsSeq(names) {
		of, at := reflect.TypeFor[T](), []int(nil)
		for part := range strings.SplitSeq(name, ".") {
			f, ok := of.FieldByName(part)
			if !ok {
				panic("column: no field " + name)
			}
			of, at = f.Type, append(at, f.Index...)
		}
		l.fields = append(l.fields, at)
	}
	return l
}

// String tells records of one shape from those of another.
func (l *Layout) String() string { return l.shape }

func describeType(t reflect.Type) string {
	out := " " + t.String()
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		return out + describeType(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				out += " " + f.Name + describeType(f.Type)
			}
		}
	default:
	}
	return out
}

// fieldsOf are the fields of one record.
func (l *Layout) fieldsOf(record any) []reflect.Value {
	return eval.Map(l.fields, func(at []int) reflect.Value { return reflect.ValueOf(record).Elem().FieldByIndex(at) })
}

// Add takes the records as they are yielded, and yields them on. What they share is told by a key of a
// record without its numbers. Slices and pointers within are kept as they are: nobody may change them. It
// reports whether the columns hold all that came, once that has ended.
func (c *Records[T]) Add(l *Layout, records iter.Seq2[T, error], key func(*T) ([]byte, error), yield func(T, error) bool) bool {
	whole, kind := true, new(T)
	fields := l.fieldsOf(kind)
	c.Numbers = make([][]int64, len(fields))
	for one, err := range records {
		whole = whole && err == nil
		*kind = one
		for i := 0; whole && i < len(fields); i++ {
			n, ok := takeFieldNumber(fields[i])
			c.Numbers[i], whole = append(c.Numbers[i], n), ok
		}
		if whole {
			k, err := key(kind)
			c.Which = append(c.Which, numberOfKey(&c.known, string(k), func() { c.Kinds = append(c.Kinds, *kind) }))
			whole = err == nil
		}
		if !yield(one, err) {
			return false
		}
	}
	return whole
}

// All yields the records. What they have in common is shared.
func (c *Records[T]) All(ctx context.Context, l *Layout) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		one := new(T)
		fields := l.fieldsOf(one)
		for i, n := range c.Which {
			if i%1024 == 0 && ctx.Err() != nil {
				yield(*new(T), context.Cause(ctx))
				return
			}
			*one = c.Kinds[n]
			for j, f := range fields {
				setFieldNumber(f, c.Numbers[j][i])
			}
			if !yield(*one, nil) {
				return
			}
		}
	}
}

// Holds reports whether these are n records by a layout.
func (c *Records[T]) Holds(n int, l *Layout) bool {
	return len(c.Which) == n && len(c.Numbers) == len(l.fields) &&
		!slices.ContainsFunc(c.Numbers, func(of []int64) bool { return len(of) != n }) &&
		!slices.ContainsFunc(c.Which, func(of uint32) bool { return int(of) >= len(c.Kinds) })
}

// noTime is the number of the zero time.
const noTime = math.MinInt64

// takeFieldNumber gives what a field holds as a number, and empties it; false where it is none.
func takeFieldNumber(f reflect.Value) (n int64, ok bool) {
	ok = true
	switch at, isTime := f.Addr().Interface().(*time.Time); {
	case isTime && at.IsZero():
		n = noTime
	case isTime:
		n = at.UnixNano()
		ok = time.Unix(0, n).Equal(*at)
	case f.CanInt():
		n = f.Int()
	case f.CanUint():
		n = int64(f.Uint())
	default:
		n = int64(math.Float64bits(f.Float()))
	}
	f.SetZero()
	return n, ok
}

// setFieldNumber gives an empty field back what was taken from it.
func setFieldNumber(f reflect.Value, n int64) {
	switch at, isTime := f.Addr().Interface().(*time.Time); {
	case isTime && n == noTime:
	case isTime:
		*at = time.Unix(0, n).UTC()
	case f.CanInt():
		f.SetInt(n)
	case f.CanUint():
		f.SetUint(uint64(n))
	default:
		f.SetFloat(math.Float64frombits(uint64(n)))
	}
}

package record

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"concord/eval"
)

// mapping copies values of a type of the domain into its record and back, field
// by field: each field of the record from the one of the same name, or from the
// one that its tag `of` names, as in "Usage.Prompt"; with "-" from none. It
// follows from the two types, once. A field of a record that names none of the
// domain is an error of the program.
type mapping struct {
	fields  []fieldPair
	failure []int // the field of the domain that is why a call failed; nil: none
}

// fieldPair is a field of a record and what it is copied from, by their indices.
type fieldPair struct {
	record, domain []int
	conversion
}

// conversion sets a field of the record from that of the domain, and back.
type conversion struct{ store, load func(to, from reflect.Value) }

var mappings sync.Map // [2]reflect.Type{record, domain} -> *mapping

func mappingOf(record, domain reflect.Type) *mapping {
	key := [2]reflect.Type{record, domain}
	if m, ok := mappings.Load(key); ok {
		return m.(*mapping)
	}
	m := new(mapping)
	for _, f := range reflect.VisibleFields(record) {
		name, tagged := f.Tag.Lookup("of")
		if !tagged {
			name = f.Name
		}
		if f.Anonymous || name == "-" {
			continue
		}
		at, of := fieldOf(domain, name)
		if of == reflect.TypeFor[*eval.Failure]() {
			m.failure = at
		}
		m.fields = append(m.fields, fieldPair{f.Index, at, conversionOf(f.Type, of)})
	}
	mappings.Store(key, m)
	return m
}

// fieldOf finds a field by its name, or by a path of them.
func fieldOf(t reflect.Type, path string) (at []int, of reflect.Type) {
	of = t
	for name := range strings.SplitSeq(path, ".") {
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		f, ok := of.FieldByName(name)
		if !ok {
			panic(fmt.Sprintf("record: %s has no field %s", t, path))
		}
		at, of = append(at, f.Index...), f.Type
	}
	return at, of
}

// in gives a field of a value; false when it is one of a failure that there is not.
func in(v reflect.Value, at []int) (reflect.Value, bool) {
	for _, i := range at {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, true
}

func (m *mapping) store(record, domain reflect.Value) {
	for _, f := range m.fields {
		if from, ok := in(domain, f.domain); ok {
			f.store(record.FieldByIndex(f.record), from)
		}
	}
}

func (m *mapping) load(domain, record reflect.Value) {
	for _, f := range m.fields {
		if to, ok := in(domain, f.domain); ok {
			f.load(to, record.FieldByIndex(f.record))
		}
	}
	if m.failure != nil {
		v, _ := in(domain, m.failure)
		mend(v.Interface().(*eval.Failure))
	}
}

func conversionOf(record, domain reflect.Type) conversion {
	switch rk, dk := record.Kind(), domain.Kind(); {
	case domain == reflect.TypeFor[time.Time]():
		return conversion{
			func(to, from reflect.Value) { to.SetInt(Millis(from.Interface().(time.Time))) },
			func(to, from reflect.Value) { to.Set(reflect.ValueOf(FromMillis(from.Int()))) },
		}
	case domain == reflect.TypeFor[eval.Sent]():
		return conversion{
			func(to, from reflect.Value) { to.Set(reflect.ValueOf(fromSent(from.Interface().(eval.Sent)))) },
			func(to, from reflect.Value) { to.Set(reflect.ValueOf(from.Interface().(*Sent).sent())) },
		}
	case record == domain:
		return conversion{reflect.Value.Set, reflect.Value.Set}
	case rk == reflect.Bool && dk == reflect.Pointer: // whether there is a failure
		return conversion{
			func(to, from reflect.Value) { to.SetBool(!from.IsNil()) },
			func(to, from reflect.Value) {
				if from.Bool() {
					to.Set(reflect.New(domain.Elem()))
				}
			},
		}
	case rk == reflect.Pointer:
		return pointed(record.Elem(), domain)
	case rk == reflect.Slice:
		return listed(record, domain)
	case rk == reflect.Array: // of a struct, its numbers in their order
		return conversion{spread, spread}
	case rk == reflect.Struct:
		return conversion{
			func(to, from reflect.Value) { mappingOf(record, domain).store(to, from) },
			func(to, from reflect.Value) { mappingOf(record, domain).load(to, from) },
		}
	default:
		return conversion{assign, assign}
	}
}

// pointed is nil for what says nothing, so that it takes no byte.
func pointed(record, domain reflect.Type) conversion {
	c := conversionOf(record, domain)
	return conversion{
		func(to, from reflect.Value) {
			one := reflect.New(record)
			if c.store(one.Elem(), from); !one.Elem().IsZero() {
				to.Set(one)
			}
		},
		func(to, from reflect.Value) {
			if !from.IsNil() {
				c.load(to, from.Elem())
			}
		},
	}
}

// listed copies lists, of which one may be an array. An empty list is none,
// unless it is told apart from none.
func listed(record, domain reflect.Type) conversion {
	c := conversionOf(record.Elem(), domain.Elem())
	fill := func(to, from reflect.Value, each func(to, from reflect.Value)) {
		if to.Kind() == reflect.Slice && (from.Len() > 0 || to.Type() == reflect.TypeFor[[]Object]() || from.Type() == reflect.TypeFor[[]Object]()) {
			to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		}
		for i := range min(to.Len(), from.Len()) {
			each(to.Index(i), from.Index(i))
		}
	}
	return conversion{
		func(to, from reflect.Value) { fill(to, from, c.store) },
		func(to, from reflect.Value) { fill(to, from, c.load) },
	}
}

// numbers are those that a value is made of, in their order.
func numbers(v reflect.Value, out []reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			out = numbers(v.Field(i), out)
		}
		return out
	case reflect.Array:
		for i := range v.Len() {
			out = numbers(v.Index(i), out)
		}
		return out
	default:
		return append(out, v)
	}
}

func spread(to, from reflect.Value) {
	all := numbers(from, nil)
	for i, n := range numbers(to, nil) {
		assign(n, all[i])
	}
}

// assign copies a text or a number to one of another type.
func assign(to, from reflect.Value) {
	switch to.Kind() {
	case reflect.String:
		to.SetString(from.String())
	case reflect.Float64:
		to.SetFloat(from.Float())
	default:
		setNumber(to, numberIn(from))
	}
}

func numberIn(f reflect.Value) uint64 {
	switch {
	case f.Kind() == reflect.Bool && f.Bool():
		return 1
	case f.Kind() == reflect.Bool:
		return 0
	case f.CanInt():
		return uint64(f.Int())
	}
	return f.Uint()
}

func setNumber(f reflect.Value, n uint64) {
	switch {
	case f.Kind() == reflect.Bool:
		f.SetBool(n != 0)
	case f.CanInt():
		f.SetInt(int64(n))
	default:
		f.SetUint(n)
	}
}

// Of is the record of a value of the domain, given by its pointer.
func Of[R any](v any) R {
	var r R
	mappingOf(reflect.TypeFor[R](), reflect.TypeOf(v).Elem()).store(reflect.ValueOf(&r).Elem(), reflect.ValueOf(v).Elem())
	return r
}

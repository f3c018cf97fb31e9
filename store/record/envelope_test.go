package record

import (
	"bytes"
	"testing"

	"concord/annotate"
)

// An envelope vouches for table, key and body; a value without one passes where
// there may be such values, unless it is one whose first byte was lost.
func TestEnvelope(t *testing.T) {
	key, body := []byte("k"), []byte{RecordVersion, 0xa0}
	value, sum := Seal(TableActs, key, body)
	check := func(table Table, key, value []byte, bare, ok bool) {
		t.Helper()
		got, _, err := Unseal(table, key, value, bare)
		if ok != (err == nil) || ok && !bytes.Equal(got, body) {
			t.Errorf("%s %s %x, bare %v: %x, %v", table, key, value, bare, got, err)
		}
		if err != nil {
			wantErr(t, err, ErrCorrupt)
		}
	}
	check(TableActs, key, value, false, true)
	check(TableActs, key, value, true, true)
	check(TableVotes, key, value, true, false)
	check(TableActs, []byte("l"), value, true, false)
	check(TableActs, key, body, true, true)
	check(TableActs, key, body, false, false)
	check(TableActs, key, nil, false, false)
	for i := range value {
		for bit := range 8 {
			value[i] ^= 1 << bit
			check(TableActs, key, value, true, false)
			value[i] ^= 1 << bit
		}
	}
	if of, ok := TableOf(key, value); of != TableActs || !ok || sum != ComputeChecksum(TableActs, key, body) {
		t.Errorf("%s, %v", of, ok)
	}
}

// What is summed up does not depend on the order, and what is taken out again
// leaves nothing.
func TestSum(t *testing.T) {
	var a, b Sum
	for i := range uint32(100) {
		a.AddChecksum(i*i, 1)
		b.AddChecksum((99-i)*(99-i), 1)
	}
	same(t, a, b)
	a.AddChecksum(49, -1)
	if a == b || a.Records != 99 {
		t.Errorf("%+v", a)
	}
	back, err := ReadSum(nil, b.Encode())
	must(t, err)
	same(t, back, b)
}

// Every table says what its records are, and groups are what reports read
// together.
func TestAboutAndGroup(t *testing.T) {
	for _, table := range Tables() {
		if singular[table] == "" || len(fields[table]) < grouped[table] {
			t.Errorf("%s: what are its records?", table)
		}
	}
	act := AppendU32(StreamPrefix("q", "ann"), 7)
	same(t, DescribeRecord(TableActs, act), `act of queue "q", annotator "ann", act 7`)
	same(t, GroupKey(TableActs, act), StreamPrefix("q", "ann"))
	same(t, DescribeRecord(TableActs, act[:5]), `act of queue "q"`)
	same(t, len(GroupKey(TablePeople, People.Key(&annotate.Person{Name: "ann", Version: 1}))), 0)
	same(t, DescribeRecord(TablePredictions, []byte{1}), "prediction")
}

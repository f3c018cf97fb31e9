package concord_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	update = flag.Bool("update", false, "lower the recorded offenders to what is measured")
	raise  = flag.Bool("raise", false, "with -update: also raise them and add new ones")
)

// recordFile holds what stands over a limit: a line an entry, sorted, the kind
// of the measurement first, then its subject and the number.
const recordFile = ".arch/offenders"

// entry names one measurement: the kind, and what is measured.
type entry struct{ kind, subject string }

func (e entry) String() string { return e.kind + " " + e.subject }

// rounded are the kinds that are recorded in hundreds of lines, rounded up, so
// that a line more or less is no change of the record.
var rounded = map[string]bool{"lines": true, "knot.lines": true}

// toRecord gives the number that is recorded for a measured one.
func (e entry) toRecord(n int) int {
	if rounded[e.kind] {
		return (n + 99) / 100 * 100
	}
	return n
}

// loose reports whether a record is so much higher than what is measured that
// it has to be lowered: for lines by more than a twentieth, else by one.
func (e entry) loose(measured, recorded int) bool {
	if rounded[e.kind] {
		return measured < recorded-recorded/20
	}
	return measured < recorded
}

// checkRecords compares what stands over a limit with what is recorded for
// these kinds. An offender may only shrink, and its record has to follow. With
// -update, the record is rewritten first. where says more about an offender.
func checkRecords(t *testing.T, measured map[entry]int, kinds []string, where func(entry) string) {
	t.Helper()
	recorded := readRecords(t)
	if *update {
		recorded = rewriteRecords(t, recorded, measured, kinds)
	}
	for _, e := range slices.SortedFunc(maps.Keys(measured), compareEntries) {
		n := measured[e]
		limit, known := recorded[e]
		switch {
		case !known:
			t.Errorf("%s: %d is over the limit, and no recorded offender%s", e, n, where(e))
		case n > limit:
			t.Errorf("%s: %d, and %d are recorded: it may only shrink%s", e, n, limit, where(e))
		case e.loose(n, limit):
			t.Errorf("%s: %d, and %d are recorded: lower the record to %d (go test . -update)", e, n, limit, e.toRecord(n))
		}
	}
	for _, e := range slices.SortedFunc(maps.Keys(recorded), compareEntries) {
		if _, still := measured[e]; !still && slices.Contains(kinds, e.kind) {
			t.Errorf("%s is within its limit now: remove its record (go test . -update)", e)
		}
	}
}

// rewriteRecords lowers the records of these kinds to what is measured and
// removes those that are within their limit. Only -raise lets one rise.
func rewriteRecords(t *testing.T, recorded, measured map[entry]int, kinds []string) map[entry]int {
	t.Helper()
	out := make(map[entry]int)
	for e, limit := range recorded {
		n, still := measured[e]
		switch {
		case !slices.Contains(kinds, e.kind):
			out[e] = limit
		case still && e.loose(n, limit):
			out[e] = e.toRecord(n)
		case still:
			out[e] = limit
		}
	}
	if *raise {
		for e, n := range measured {
			if n > out[e] {
				out[e] = e.toRecord(n)
			}
		}
	}
	if !maps.Equal(out, recorded) {
		writeRecords(t, out)
	}
	return out
}

func compareEntries(a, b entry) int { return strings.Compare(a.String(), b.String()) }

func readRecords(t *testing.T) map[entry]int {
	t.Helper()
	text, err := os.ReadFile(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[entry]int)
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		at := strings.LastIndexByte(rest, ' ')
		n, err := strconv.Atoi(rest[at+1:])
		if at < 0 || err != nil {
			t.Fatalf("%s: not a kind, a subject and a number: %q", recordFile, line)
		}
		e := entry{kind, rest[:at]}
		if _, twice := out[e]; twice {
			t.Fatalf("%s: %s stands there twice", recordFile, e)
		}
		out[e] = n
	}
	return out
}

func writeRecords(t *testing.T, records map[entry]int) {
	t.Helper()
	var b strings.Builder
	for _, e := range slices.SortedFunc(maps.Keys(records), compareEntries) {
		fmt.Fprintf(&b, "%s %d\n", e, records[e])
	}
	if err := os.MkdirAll(filepath.Dir(recordFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(recordFile, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestRecordsAreSorted(t *testing.T) {
	text, err := os.ReadFile(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Concat(limitKinds, wordKinds)
	var before entry
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		kind, rest, _ := strings.Cut(line, " ")
		if !slices.Contains(known, kind) {
			t.Errorf("there is no kind of measurement %q", kind)
		}
		at := entry{kind, rest[:max(0, strings.LastIndexByte(rest, ' '))]}
		if compareEntries(before, at) >= 0 {
			t.Errorf("%s stands after %s", at, before)
		}
		before = at
	}
}

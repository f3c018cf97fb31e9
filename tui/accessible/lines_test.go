package accessible

import (
	"strings"
	"testing"
)

// What was typed ahead keeps no goroutine once nobody waits for lines.
func TestLinesLetGoOfWhatWasTypedAhead(t *testing.T) {
	l := NewLines(strings.NewReader("one\ntwo\nthree\n"))
	if got, err := l.NextLine(t.Context()); got != "one" || err != nil {
		t.Fatal(got, err)
	}
	l.Close()
	n := 0
	for range l.next {
		n++ // it ends
	}
	if n > 2 {
		t.Errorf("%d lines of two", n)
	}
}

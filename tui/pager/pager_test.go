package pager

import (
	"errors"
	"iter"
	"testing"
)

// numbers yields n numbers, the negative ones of which are hidden.
func numbers(n int, hide func(i int) bool, err error, stopped *bool) func() iter.Seq2[int, error] {
	return func() iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			defer func() { *stopped = true }()
			for i := range n {
				if hide(i) {
					i = -1
				}
				if !yield(i, nil) {
					return
				}
			}
			if err != nil {
				yield(0, err)
			}
		}
	}
}

func TestPagesEnd(t *testing.T) {
	broken := errors.New("broken")
	check := func(n int, hide func(int) bool, err error, wantRows, wantHid int, wantEnded bool) {
		t.Helper()
		var stopped bool
		p := New(numbers(n, hide, err, &stopped), func(i *int) bool { return *i < 0 })
		page := p.ReadPage()
		if page.Of != p || len(page.Rows) != wantRows || page.Hid != wantHid || page.Ended != wantEnded {
			t.Errorf("%d rows, %d hidden, ended %t; want %d, %d, %t", len(page.Rows), page.Hid, page.Ended, wantRows, wantHid, wantEnded)
		}
		if wantEnded && !errors.Is(page.Err, err) {
			t.Errorf("ended with %v", page.Err)
		}
		p.Close()
		if again := p.ReadPage(); !stopped || !again.Ended || len(again.Rows) > 0 {
			t.Error("closing does not end it")
		}
	}
	none := func(int) bool { return false }
	check(3, none, nil, 3, 0, true)
	check(3, none, broken, 3, 0, true)
	check(Size+1, none, nil, Size, 0, false)
	check(9, func(i int) bool { return i%3 == 0 }, nil, 6, 3, true)
	check(20*Size, func(int) bool { return true }, nil, 0, hiding, false)
}

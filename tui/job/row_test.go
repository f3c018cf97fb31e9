package job

import (
	"fmt"
	"testing"
)

func TestMergeKeepsPlaces(t *testing.T) {
	check := func(old, fresh []int, want string) {
		t.Helper()
		// An id is a tens digit; the ones digit is news about it.
		got := MergeRows(old, fresh, func(n int) int { return n / 10 })
		if fmt.Sprint(got) != want {
			t.Errorf("%v and then %v give %v, want %s", old, fresh, got, want)
		}
	}
	check(nil, []int{10, 20}, "[10 20]")
	check([]int{10, 20}, []int{21, 11}, "[11 21]")
	check([]int{20, 10}, []int{11, 21, 30}, "[21 11 30]")
	check([]int{10, 20, 30}, []int{31, 11}, "[11 31]")
	check([]int{10}, nil, "[]")
}

package annotate

import "testing"

func TestSettle(t *testing.T) {
	check := func(p Policy, ruling, words, want string, votes int) {
		t.Helper()
		var r *string
		if ruling != "" {
			r = &ruling
		}
		var list []string
		for _, w := range words {
			list = append(list, string(w))
		}
		got, ok := ResolveWords(list, r, p)
		if ok != (want != "") || got.Word != want || got.Votes != votes || got.Of != len(words) || got.Ruled != (ok && p == Adjudicated && ruling != "") {
			t.Errorf("%v of %q, adjudication %q: %+v, want %q by %d", p, words, ruling, got, want, votes)
		}
	}
	check(Majority, "", "", "", 0)
	check(Plurality, "", "", "", 0)
	check(Majority, "", "aab", "a", 2)
	check(Majority, "", "aabb", "", 0)
	check(Majority, "", "aabc", "", 0)
	check(Plurality, "", "aabc", "a", 2)
	check(Plurality, "", "abc", "", 0)
	check(Unanimous, "", "aaa", "a", 3)
	check(Unanimous, "", "aab", "", 0)
	// The adjudicator settles what is contested, and may say what nobody did;
	// what nobody comparisons needs no ruling, and what is contested waits for one.
	check(Adjudicated, "b", "aab", "b", 1)
	check(Adjudicated, "c", "aab", "c", 0)
	check(Adjudicated, "c", "", "c", 0)
	check(Adjudicated, "", "aa", "a", 2)
	check(Adjudicated, "", "aab", "", 0)
	check(Adjudicated, "", "", "", 0)
	check(Majority, "b", "aab", "a", 2) // a ruling changes no other policy
	check(PolicyUnset, "a", "aaa", "", 0)
}

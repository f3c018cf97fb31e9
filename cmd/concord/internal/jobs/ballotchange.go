package jobs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"concord/eval"
)

func ballotWords(b *eval.Ballot) string {
	with := "without criteria"
	if b.Criteria {
		with = "with criteria"
	}
	return with + ", by " + b.Input.String()
}

// differing are the fields in which two setups differ, as judge.Hash writes
// them.
func differing(was, is []byte) []string {
	var old, now map[string]json.RawMessage
	if json.Unmarshal(was, &old) != nil || json.Unmarshal(is, &now) != nil {
		return nil
	}
	names := make(map[string]bool)
	for _, m := range []map[string]json.RawMessage{old, now} {
		for name := range m {
			names[name] = true
		}
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if a, b := string(old[name]), string(now[name]); a != b {
			out = append(out, fmt.Sprintf("%s: was %s, is %s", name, orNone(a), orNone(b)))
		}
	}
	return out
}

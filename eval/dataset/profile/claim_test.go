package profile

import (
	"strings"
	"testing"

	"concord/eval/dataset/format"
)

// The best claim is what a file is read as.
func TestClaims(t *testing.T) {
	check := func(name, head, want string) {
		t.Helper()
		got, why := "", ""
		if all := RankLayouts(FileStart{Path: name, Head: []byte(head)}); len(all) > 0 {
			got, why = all[0].Format, all[0].Reason
		}
		if got != want || (why == "") != (want == "") {
			t.Errorf("%s %.20q: %q (%s), want %q", name, head, got, why, want)
		}
	}
	check("a.tsv", "index\tq\n", format.TSV)
	check("a.xlsx", "PK\x03\x04", format.XLSX)
	check("a.tsv", "PK\x03\x04", format.XLSX)
	check("a.csv", "a,b\n", format.CSV)
	check("a.csv", "a\tb,c\n", format.TSV)
	check("a.txt", "a,b\n", format.CSV)
	check("a.json", "\xef\xbb\xbf [\n{", format.JSON)
	check("a.json", "{\n  \"a\": 1", format.JSON)
	check("a.json", `{"a": 1}`, format.JSONL)
	check("a.jsonl", `{"doc_id": 1, "filtered_resps": ["A"]}`, LMMS)
	check("a.json", `{"version": 2, "eval": {"task": "t"}}`, Inspect)
	check("a.eval", "PK\x03\x04"+strings.Repeat("\x00", 22)+"\x0b\x00\x00\x00header.json", Inspect)
	check("existence.txt", "0.jpg\tIs it?\tYes\n", MME)
	check("a", "", "")
	check("a.pdf", "%PDF", "")
}

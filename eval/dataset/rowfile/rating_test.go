package rowfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"concord/eval/dataset/problem"
)

var voteColumns = RatingColumns{Item: "item", Rater: "rater", Value: "vote"}

// rate reads text to its end: ratings as "line:item/rater=value", problems as
// "line!reason".
func rate(text, name string, c RatingColumns) (out []string) {
	for r, err := range ReadRatings(iotest.HalfReader(strings.NewReader(text)), name, c) {
		var p *problem.Problem
		switch {
		case errors.As(err, &p):
			out = append(out, fmt.Sprintf("%d!%s", p.Line, p.Reason))
		case err != nil:
			out = append(out, err.Error())
		default:
			out = append(out, fmt.Sprintf("%d:%s/%s=%s", r.Line, r.Item, r.Rater, r.Value))
		}
	}
	return out
}

func TestReadRatings(t *testing.T) {
	check := func(name, text string, want ...string) {
		t.Helper()
		if got := rate(text, name, voteColumns); !slices.Equal(got, want) {
			t.Errorf("%s %q:\n got %q\nwant %q", name, text, got, want)
		}
	}
	check("a.csv", "item,rater,vote\n1,ann,A\n1,bob,\n2,,A\n", "2:1/ann=A", "3:1/bob=", "4!the row has no rater")
	check("-", "vote\tmore\titem\trater\n A \tx\t1\tann\nNA\tx\t1\tbob\n", "2:1/ann=A", "3:1/bob=NA")
	// Numbers, booleans and texts are text; null is no rating.
	check("a.jsonl", `{"item":1,"rater":"ann","vote":1}
{"item":"1","rater":"bob","vote":"1"}
{"item":1.0,"rater":"cy","vote":true}
{"item":2,"rater":"ann","vote":null}
{"item":2,"rater":"bob"}
{"item":2,
{"rater":"bob","vote":1}
`, "1:1/ann=1", "2:1/bob=1", "3:1.0/cy=true", "4:2/ann=", "5:2/bob=",
		"6!not a JSON object: unexpected end of JSON input: write the row as {\"column\": value, ...}, or leave it out", "7!the row has no item")
	check("a.json", `[{"item":1,"rater":"ann","vote":"A"},
{"item":1,"rater":"bob","vote":"B"}]`, "1:1/ann=A", "2:1/bob=B")
	// The columns of a benchmark's own files are nothing special here.
	check("a.jsonl", `{"item":1,"rater":"a","vote":"x","meta":{"capability":"c"},"doc_id":1,"filtered_resps":[]}`, "1:1/a=x")
	// A stray quote costs its own row only.
	check("a.csv", "item,rater,vote\n1,\"ann,A\n1,bob,B\n2,ann,C\n", "2!a quoted cell does not end before the file does", "3:1/bob=B", "4:2/ann=C")
	check("a.csv", "item,who,vote\n1,ann,A\n", `read a.csv: there is no column "rater": there are item, who, vote`)
	check("a.csv", "item,who,vote\n", `read a.csv: there is no column "rater": there are item, who, vote`)
	check("a.csv", "item,rater,vote\n")
	check("a.csv", "item,rater,vote,vote\n1,ann,A,B\n", `read a.csv: there are two columns "vote"`)
	check("a.csv", "", "read a.csv: the file is empty")
	check("-", "what is this\n", "read -: this is neither CSV, TSV, JSON lines, JSON nor xlsx")
	check("a.csv", "item,rater,vote\n1,ann,"+strings.Repeat("x", 2000)+"\n", "2!a cell of more than 1024 bytes is neither a name nor a class")
}

func TestRealRatings(t *testing.T) {
	b, err := os.ReadFile("../../../../shared/data/agreement/pandalm_votes.csv")
	if err != nil {
		t.Skipf("real data is not here: %v", err)
	}
	got := rate(string(b), "pandalm_votes.csv", voteColumns)
	if len(got) != 4995 || got[0] != "2:0/annotator1=2" {
		t.Errorf("%d rows, %q first", len(got), got[:1])
	}
}

// Any bytes: every row comes once, by line, as a rating with names or as a
// problem.
func FuzzRatings(f *testing.F) {
	for _, s := range []string{
		"item,rater,vote\n1,ann,A\n1,\"bob,\n2,,A\n", "item\trater\tvote\n1\t\"a\nb\"\tA\n", "{\"item\":1,\"rater\":\"a\",\"vote\":NaN}\n{\"item\":[1],\"rater\":{}}",
		`[{"item":1,"rater":"a","vote":"x"},{"item":2,]`, "{\n\"item\":1}", "\xef\xbb\xbfitem,rater,vote\n\xff,b,c\n", "\xff\xfei\x00", "PK\x03\x04",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		last := 0
		for r, err := range ReadRatings(bytes.NewReader(in), "f", voteColumns) {
			var p *problem.Problem
			switch {
			case errors.As(err, &p):
				if p.Reason == "" || p.Line < last {
					t.Fatalf("%q: %+v after line %d", in, p, last)
				}
				last = p.Line
			case err == nil:
				if r.Item == "" || r.Rater == "" || r.Line < last || !utf8.ValidString(r.Item+r.Rater+r.Value) {
					t.Fatalf("%q: %+v after line %d", in, r, last)
				}
				last = r.Line
			}
		}
	})
}

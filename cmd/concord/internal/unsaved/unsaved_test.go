package unsaved

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/eval"
	"concord/store"
)

var at = time.UnixMilli(1_700_000_000_000).UTC()

// act is one of ann's in a queue: number, item and target, in a word.
func act(word string) annotate.Act {
	var kind string
	var n, item, target uint32
	if _, err := fmt.Sscanf(word, "%1s%d:%d>%d", &kind, &n, &item, &target); err != nil {
		panic(err)
	}
	a := annotate.Act{Queue: "q", Annotator: "ann", N: n, Item: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(item)}), Target: target, At: at.Add(time.Duration(n) * time.Second)}
	switch kind {
	case "l":
		a.Kind, a.Reading = annotate.Labelled, annotate.Reading{Kind: annotate.PickedOption, Choice: "A"}
	case "u":
		a.Kind = annotate.TookBack
	default:
		a.Kind, a.Text = annotate.Noted, "odd"
	}
	return a
}

func all(words string) (out []annotate.Act) {
	for w := range strings.FieldsSeq(words) {
		out = append(out, act(w))
	}
	return out
}

func TestActsFollowThoseThatAreStored(t *testing.T) {
	t.Parallel()
	check := func(name, unsaved, stored, want string) {
		t.Helper()
		var out []annotate.Act
		_, problems := storeFittingActs(describeQueueActs(), all(unsaved), all(stored), func(a *annotate.Act) error {
			out = append(out, *a)
			return nil
		})
		var got []string
		for _, a := range out {
			got = append(got, fmt.Sprintf("%d:%d>%d", a.N, a.Item.Sample, a.Target))
		}
		for _, p := range problems {
			got = append(got, p.Err.Error())
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", name, s, want)
		}
	}
	check("the same project", "l3:3>0 u4:1>1 l5:1>0", "l1:1>0 l2:2>0", "3:3>0 4:1>1 5:1>0")
	check("again", "l3:3>0 u4:1>1", "l1:1>0 l2:2>0 l3:3>0 u4:1>1", "")
	check("half of it again", "l3:3>0 u4:3>3", "l1:1>0 l2:2>0 l3:3>0", "4:3>3")
	check("a copy of before", "l3:3>0 u4:3>3 l5:4>0", "", "1:3>0 2:3>1 3:4>0")
	check("what it takes back is not there", "l3:3>0 u4:1>1 n5:3>0", "", "1:3>0 2:3>0 act 4 takes back act 1, which the project does not have")
	check("a reading that is kept", "l3:1>1", "", "1:1>0")
	check("nothing", "", "l1:1>0", "")
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	left := Acts{
		Queues:   []annotate.Act{act("l1:1>0"), act("u2:1>1")},
		Criteria: []criteria.Act{{Dataset: "d", Sample: 3, N: 1, Kind: criteria.Drafted, Who: "ann", Criteria: []criteria.Criterion{{Text: "names \x1b[2J it"}}, At: at}},
		Curation: []curation.Act{{Dataset: "d", Expert: "ann", N: 1, Kind: curation.Noted, Text: "odd", At: at}},
	}
	dir := t.TempDir()
	for n := range 2 {
		path, err := WriteActsBeside(filepath.Join(dir, "p.db"), "", &left, at)
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("p.db.unsaved-20231114T221320-%d.jsonl", n+1); filepath.Base(path) != want {
			t.Errorf("%s, want %s", path, want)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, problems, err := ReadActsFile(bytes.NewReader(append([]byte("{}\nno\n"), text...)))
		if err != nil || len(problems) != 2 || !reflect.DeepEqual(got, left) {
			t.Errorf("%+v, %v, %v", got, problems, err)
		}
	}
	further := t.TempDir()
	if path, err := WriteActsBeside(filepath.Join(dir, "gone", "p.db"), further, &left, at); err != nil || filepath.Dir(path) != further {
		t.Errorf("%s, %v", path, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("{\"act\":{\"N\":1}}\n{\"criteria\":{}}\n{\"curation\":null}")
	f.Fuzz(func(t *testing.T, text string) {
		u, problems, err := ReadActsFile(strings.NewReader(text))
		if lines := strings.Count(text, "\n") + 1; err == nil && u.Len()+len(problems) > lines {
			t.Errorf("%d acts and %d problems of %d lines", u.Len(), len(problems), lines)
		}
	})
}

// Taken in twice, an act counts once; a label that others came before is kept as
// too late.
func TestInto(t *testing.T) {
	t.Parallel()
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	ctx := t.Context()
	if err := st.Datasets().BeginDataset(ctx, eval.Dataset{Name: "d", Hash: "h"}); err != nil {
		t.Fatal(err)
	}
	q := annotate.Queue{Name: "q", Overlap: 1, Population: 3, Stratum: annotate.Random, Rule: annotate.Rule{Dataset: "d", From: annotate.FromAll, Rules: "concord@1"}}
	var items []annotate.QueueItem
	for i := range 3 {
		items = append(items, annotate.QueueItem{Index: i, Key: annotate.NewItemKey(eval.Key{Run: 1, Sample: eval.Ordinal(i)}), Inclusion: 1})
	}
	if err := st.Queues().CreateQueue(ctx, q, items); err != nil {
		t.Fatal(err)
	}
	bobs := act("l1:2>0")
	bobs.Annotator = "bob"
	if err := st.Acts().Append(ctx, []annotate.Act{bobs}); err != nil {
		t.Fatal(err)
	}
	left := Acts{Queues: all("l4:0>0 l5:1>0 l6:2>0 l7:9>0")}
	for n, want := range []int{3, 0} {
		taken, problems, err := left.StoreInto(ctx, st)
		if err != nil || taken != want || len(problems) != 1 {
			t.Errorf("time %d: %d taken, %v, %v", n, taken, problems, err)
		}
	}
	acts, err := st.Acts().Acts("q", "ann")
	if err != nil || len(acts) != 3 || acts[2].Kind != annotate.TooLate {
		t.Errorf("%+v, %v", acts, err)
	}
	chains, _, err := st.Acts().CheckChains(ctx, nil)
	if err != nil || len(chains) != 2 || !chains[0].IsWhole() || chains[0].Head.Place != 3 || !chains[1].IsWhole() {
		t.Errorf("chains %+v, %v", chains, err)
	}
}

package dataset

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"concord/eval"
)

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// tsv writes a TSV file; semicolons separate cells.
func tsv(t testing.TB, name, text string) string {
	return write(t, name, strings.ReplaceAll(text, ";", "\t"))
}

func load(t testing.TB, m *memory, path string, o Options) Summary {
	t.Helper()
	if o.Name == "" {
		o.Name = "d"
	}
	sum, err := Import(context.Background(), m, path, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func (m *memory) list(name eval.DatasetName) (out []eval.Sample) {
	for o := range len(m.samples[name]) {
		s, err := m.Sample(name, eval.Ordinal(o))
		if err != nil {
			m.t.Fatalf("ordinal %d is missing", o)
		}
		out = append(out, s)
	}
	return out
}

func picture(seed string) string {
	return base64.StdEncoding.EncodeToString([]byte(strings.Repeat(seed, 70)))
}

func TestCellsAreText(t *testing.T) {
	m := newMemory(t)
	sum := load(t, m, tsv(t, "a.tsv", "index;question;A;B;C;D;answer\n"+
		"1;q;None;NA;null;1.0;A\n2;q;;yes;;no;D\n3;q; ;\"a\nb\";x;;b\n4;is it;;;;;Yes\n5;open;;;;;\n6;q;x;y;;;y\n7.0;q;x;y;;;\n"), Options{})
	if sum.Read != 7 || sum.Skipped != 0 || sum.NoTruth != 2 {
		t.Errorf("%+v", sum)
	}
	var got []string
	for _, s := range m.list("d") {
		line := string(s.ID) + " " + s.Kind.String()
		for _, o := range s.Options {
			line += " " + string(o.Letter) + "=" + o.Text
		}
		got = append(got, line+" -> "+string(s.Answer))
	}
	want := []string{
		"1 choice A=None B=NA C=null D=1.0 -> A", "2 choice B=yes D=no -> D", "3 choice B=a\nb C=x -> B",
		"4 yesno -> yes", "5 open -> ", "6 choice A=x B=y -> B", "7 choice A=x B=y -> ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A workbook's cells are text, too, also where Excel made a truth value or a
// number of what was typed.
func TestWorkbookCellsAreText(t *testing.T) {
	book := excelize.NewFile()
	for i, r := range [][]any{
		{"index", "question", "A", "B", "C", "D", "answer"},
		{1, "q", true, false, 1, 0, "A"},
		{2, "q", "TRUE", "007", "1e5", "None", "B"},
		{3, "q", 0.5, "NA", "1.0", 100000, "B"},
	} {
		if err := book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &r); err != nil {
			t.Fatal(err)
		}
	}
	style, err := book.NewStyle(&excelize.Style{NumFmt: 9}) // 0%
	if err == nil {
		err = book.SetCellStyle("Sheet1", "A2", "C4", style)
	}
	path := filepath.Join(t.TempDir(), "a.xlsx")
	if err = errors.Join(err, book.SaveAs(path), book.Close()); err != nil {
		t.Fatal(err)
	}
	m := newMemory(t)
	load(t, m, path, Options{})
	var got []string
	for _, s := range m.list("d") {
		got = append(got, fmt.Sprint(s.ID, s.Options, s.Answer))
	}
	want := []string{"1[{A TRUE} {B FALSE} {C 1} {D 0}]A", "2[{A TRUE} {B 007} {C 1e5} {D None}]B", "3[{A 0.5} {B NA} {C 1.0} {D 100000}]B"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestPictures(t *testing.T) {
	a, b := picture("a"), picture("b")
	m := newMemory(t)
	sum := load(t, m, tsv(t, "a.tsv", "index;question;A;B;answer;image;image_path\n"+
		"1;later;x;y;A;3;\n"+
		"2;chain;x;y;A;1;\n"+
		"3;own;x;y;A;"+a+";own.jpg\n"+
		"4;earlier;x;y;A;3.0;\n"+
		"5;list;x;y;A;['"+a+"', '"+b+"', '3'];\n"+
		"6;json;x;y;A;\"[\"\""+b+"\"\"]\";\n"+
		"7;nowhere;x;y;A;99;\n"+
		"8;itself;x;y;A;8;\n"+
		"9;broken;x;y;A;"+strings.Repeat("*", 80)+";\n"+
		"10;none;x;y;A;;\n"+
		"11;named;x;y;A;;p.jpg\n"+
		"12;uri;x;y;A;data:image/png,"+b+";\n"), Options{})
	if sum.Added != 12 || sum.Pictures != 2 || sum.MissingPictures != 4 || sum.Warnings != 3 || sum.Skipped != 0 {
		t.Errorf("%+v", sum)
	}
	var got []string
	for _, s := range m.list("d") {
		line := s.Question + ":"
		for _, p := range s.Pictures {
			if p.Hash == "" {
				line += " (" + p.Name + ")"
			} else {
				line += " " + string(m.pictures[p.Hash][:1]) + p.Name
			}
		}
		got = append(got, line)
	}
	want := []string{
		"later: a", "chain: a", "own: aown.jpg", "earlier: a", "list: a b a", "json: b",
		"nowhere: (99)", "itself: (8)", "broken: (unreadable)", "none:", "named: (p.jpg)", "uri: b",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestSkippedRows(t *testing.T) {
	path := tsv(t, "a.tsv", "index;question;A;B;answer\n1;q;x;y;A\n2;\"q;x;y;A\n3;q;x;y;A\n3;q;x;y;A\n;q;x;y;A\n4;;;;A\n5;q;x;y\n6;q\xff;x;y;Q\n7;q;x;y;?!\n")
	m := newMemory(t)
	var seen []string
	sum := load(t, m, path, Options{Skipped: func(p Problem) { seen = append(seen, p.String()) }})
	if sum.Read != 4 || sum.Added != 4 || sum.Skipped != 5 || sum.Warnings != 3 || len(sum.Problems) != 8 {
		t.Errorf("%+v", sum)
	}
	want := []string{
		"a.tsv:3: a quoted cell runs over the next row: a stray quote",
		"a.tsv:6: the row has no index",
		"a.tsv:7: the row has no question, or no options for its answer",
		"a.tsv:8: the row has 4 cells, the header 5",
		"a.tsv:9: question is not valid UTF-8: the bytes that are not were replaced",
		"a.tsv:9: the answer Q is not among the options",
		`a.tsv:10: the answer "?!" names no option: taken as no ground truth`,
		"a.tsv:5: the row repeats index 3",
	}
	if !slices.Equal(seen, want) {
		t.Errorf("got %q\nwant %q", seen, want)
	}
	strict := newMemory(t)
	if _, err := Import(context.Background(), strict, path, Options{Strict: true}); err == nil || len(strict.datasets) != 0 {
		t.Errorf("strict: %v, %v", err, strict.datasets)
	}
}

func TestAgain(t *testing.T) {
	m := newMemory(t)
	const text = "index;question;A;B;answer\n1;q;x;y;A\n2;q;x;y;A\n"
	load(t, m, tsv(t, "a.tsv", text), Options{})
	if sum := load(t, m, tsv(t, "b.tsv", text), Options{}); sum.Added != 0 || sum.Unchanged != 2 || m.begins != 1 {
		t.Errorf("%+v", sum)
	}
	_, err := Import(context.Background(), m, tsv(t, "a.tsv", text+"3;q;x;y;A\n"), Options{Name: "d"})
	if !errors.Is(err, ErrOtherContent) || !strings.Contains(err.Error(), "--name") {
		t.Errorf("other content: %v", err)
	}
	// The same text with pictures adds the pictures.
	with := "index;question;A;B;answer;image\n1;q;x;y;A;" + picture("a") + "\n2;q;x;y;A;1\n"
	if sum := load(t, m, tsv(t, "a.tsv", with), Options{}); sum.Added != 2 || sum.Pictures != 1 {
		t.Errorf("with images: %+v", sum)
	}
	if sum := load(t, m, tsv(t, "a.tsv", with), Options{}); sum.Added != 0 || sum.Unchanged != 2 {
		t.Errorf("with images again: %+v", sum)
	}
}

func TestProgress(t *testing.T) {
	path := tsv(t, "a.tsv", "index;question;A;B;answer;prediction\n1;q;x;y;A;A\n2;q;x;y;A;B\n")
	var last, reports int64
	_, err := ImportPredictions(context.Background(), newMemory(t), path, PredictionOptions{Model: "m", Options: Options{Progress: func(read, total int64) {
		if read < last || read > total {
			t.Errorf("%d of %d after %d", read, total, last)
		}
		last = read
		if reports++; read == total {
			reports += 100
		}
	}}})
	if err != nil || reports < 100 {
		t.Error(reports, err)
	}
}

func TestInterrupted(t *testing.T) {
	path := tsv(t, "a.tsv", "index;question;A;B;answer\n1;q;x;y;A\n2;q;x;y;A\n")
	m := newMemory(t)
	m.failPut = 1
	if _, err := Import(context.Background(), m, path, Options{Name: "d"}); err == nil || m.datasets["d"].Complete {
		t.Errorf("failed put: %v, %+v", err, m.datasets["d"])
	}
	if sum := load(t, m, path, Options{}); sum.Added != 2 || !m.datasets["d"].Complete {
		t.Errorf("%+v", sum)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Import(ctx, newMemory(t), path, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestCircularDataset(t *testing.T) {
	m := newMemory(t)
	sum := load(t, m, tsv(t, "a.tsv", "index;question;A;B;C;answer;image\n"+
		"1;q1;x;y;z;B;"+picture("a")+"\n2;q2;u;v;;A;1000001\n"+
		"1000001;q1;z;x;y;C;"+picture("b")+"\n1000002;q2;v;u;;B;2\n1000003;q3;n;o;m;A;\n"+
		"2000001;q1;y;z;x;A;1\n"), Options{})
	if !sum.Circular || sum.Questions != 3 || sum.Added != 3 || sum.Irregular != 1 || sum.Read != 6 || sum.Pictures != 2 {
		t.Errorf("%+v", sum)
	}
	list := m.list("d")
	if s := list[2]; s.ID != "3" || s.Answer != "C" || s.Options[0].Text != "o" || s.Options[2].Text != "n" {
		t.Errorf("taken back to pass 0: %+v", s)
	}
	if s := list[2].ShowInPass(1); s.Answer != "A" || s.Options[0].Text != "n" {
		t.Errorf("shown again: %+v", s)
	}
	large := load(t, newMemory(t), tsv(t, "b.tsv", "index;question;A;B;answer\n1;q1;x;y;A\n1000001;q2;x;y;A\n"), Options{})
	if large.Circular || large.Questions != 2 {
		t.Errorf("large indexes: %+v", large)
	}
	group := load(t, newMemory(t), tsv(t, "c.tsv", "index;g_index;question;A;B;answer\n10;5;q1;x;y;A\n11;5;q1;y;x;B\n12;6;q2;x;y;A\n"), Options{})
	if !group.Circular || group.Questions != 2 || group.Irregular != 1 {
		t.Errorf("g_index: %+v", group)
	}
}

func TestTaxonomy(t *testing.T) {
	check := func(header, row string, want ...string) {
		t.Helper()
		m := newMemory(t)
		load(t, m, tsv(t, "a.tsv", "index;question;"+header+"\n1;q;"+row+"\n"), Options{})
		if got := m.list("d")[0].Taxonomy; !slices.Equal(got, want) {
			t.Errorf("%s %s: %q, want %q", header, row, got, want)
		}
	}
	check("category;l2-category", "image_scene;coarse_perception", "perception", "coarse_perception", "image_scene")
	check("category;l2-category", "a;Fine-grained Perception (single-instance)", "perception", "Fine-grained Perception (single-instance)", "a")
	check("category;l2-category", "a;logic_reasoning", "reasoning", "logic_reasoning", "a")
	check("category;l2-category", "food;", "food")
	check("category;l2_category", "math;geometry", "math", "geometry")
	check("category;l2_category", "coarse perception;image emotion", "coarse perception", "image emotion")
	check("hint", "h")
	check("category;answer", "OCR;Yes", "perception", "OCR")
	check("category;answer", "code_reasoning;no", "cognition", "code_reasoning")
	check("category;answer", "color;blue", "color")
	check("category;answer", "adversarial;yes", "adversarial")
	check("category;l2-category;answer", "scene;logic_reasoning;yes", "reasoning", "logic_reasoning", "scene")
	check("category;answer;A;B", "color;B;red;blue", "color")
}

// What an open question's file answers is kept, and is no truth to compare with.
func TestReference(t *testing.T) {
	m := newMemory(t)
	load(t, m, tsv(t, "a.tsv", "index;question;A;B;answer\n1;how many?;;;three dogs\n2;is it?;;;no\n3;q;x;y;x\n4;q?;;;\n"), Options{})
	want := []string{"three dogs", "", "", ""}
	for i, s := range m.list("d") {
		if s.Reference != want[i] || (s.Kind == eval.KindOpen) != (i == 0 || i == 3) || i == 0 && s.Answer != "" {
			t.Errorf("sample %s: %+v", s.ID, s)
		}
	}
}

// A later version knows more of a sample than an earlier one; its content is
// the same all the same.
func TestHashOfEarlierImports(t *testing.T) {
	s := eval.Sample{ID: "1", Kind: eval.KindYesNo, Question: "q", Answer: eval.Yes, Taxonomy: []string{"OCR"}}
	old := HashSamples([]eval.Sample{s})
	s.Taxonomy = []string{"perception", "OCR"}
	if HashSamples([]eval.Sample{s}) != old {
		t.Error("the ability before a subtask changes the hash")
	}
	s.Reference = "r"
	if HashSamples([]eval.Sample{s}) == old {
		t.Error("another reference does not change the hash")
	}
}

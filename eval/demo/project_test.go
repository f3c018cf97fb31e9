package demo

import (
	"bytes"
	"image/png"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"concord/eval"
)

// project is the one project that the tests look at.
var project = sync.OnceValues(BuildProject)

func load(t *testing.T) *Project {
	t.Helper()
	p, err := project()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestQuestions(t *testing.T) {
	p := load(t)
	b, err := readAnswerBook()
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	ids := map[eval.SampleID]bool{}
	chinese := 0
	for i, q := range b.questions {
		s := p.Samples[i]
		last := letterAt(len(q.Options) - 1)
		switch {
		case ids[s.ID], s.ID != q.ID, s.Ordinal != eval.Ordinal(i):
			t.Errorf("%s: id or ordinal", q.ID)
		case len(q.Options) < 2 || len(q.Options) > 5 || q.Text == "" || len(q.Path) != 3:
			t.Errorf("%s: options, text or path", q.ID)
		case q.Answer < "A" || q.Answer > last || q.Lure < "A" || q.Lure > last || q.Lure == q.Answer:
			t.Errorf("%s: answer %s, lure %s of %d options", q.ID, q.Answer, q.Lure, len(q.Options))
		case q.Why == "" || q.Slip == "" || len(q.Free) == 0:
			t.Errorf("%s: no explanation or no free answer", q.ID)
		case p.Pictures[s.Pictures[0].Hash] == nil:
			t.Errorf("%s: no picture", q.ID)
		}
		for _, f := range q.Free {
			for _, letter := range []string{f.Means, f.Judge} {
				if len(letter) == 1 && (letter < "A" || letter > string(last)) {
					t.Errorf("%s: free answer %q means %s", q.ID, f.Says, letter)
				}
			}
			if strings.ContainsAny(strings.ReplaceAll(f.Raw, "{none}", ""), "{}") &&
				!slices.ContainsFunc(q.Options, func(o string) bool {
					return strings.Contains(strings.ToLower(f.Raw), "{"+strings.ToLower(o)+"}")
				}) {
				t.Errorf("%s: the judge's reply %q names no option", q.ID, f.Raw)
			}
		}
		ids[q.ID], drawn[q.Picture] = true, true
		if q.languageOfText() == "zh" {
			chinese++
		}
	}
	if len(p.Samples) < 60 || chinese < 8 || !p.Dataset.Synthetic || p.Dataset.Samples != len(p.Samples) {
		t.Errorf("%d questions, %d in Chinese, %+v", len(p.Samples), chinese, p.Dataset)
	}
	for name := range drawings() {
		if !drawn[name] {
			t.Errorf("nothing is asked about picture %s", name)
		}
	}
	for hash, raw := range p.Pictures {
		m, err := png.DecodeConfig(bytes.NewReader(raw))
		if err != nil || m.Width != width || m.Height != height {
			t.Errorf("picture %s: %+v, %v", hash, m, err)
		}
	}
}

func TestSameProjectTwice(t *testing.T) {
	again, err := BuildProject()
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(load(t), again) {
		t.Error("two builds differ")
	}
}

func TestEveryPassIsRecorded(t *testing.T) {
	p := load(t)
	b, err := readAnswerBook()
	if err != nil {
		t.Fatal(err)
	}
	given := map[string]int{}
	for _, m := range p.Models {
		if !strings.Contains(m.Name, "synthetic") {
			t.Errorf("%s does not say that it is synthetic", m.Name)
		}
		for i := range p.Samples {
			s := &p.Samples[i]
			for k := range eval.Pass(s.PassCount()) {
				r, ok := m.RecordedReply(s.ID, k)
				j, judged := m.RecordedJudgment(s, k)
				if !ok || !judged || j.Judge != p.Judge || r.Finish == "" {
					t.Errorf("%s %s.%d: %+v, %+v", m.Name, s.ID, k, r, j)
				}
				if strings.ContainsFunc(r.Text, func(c rune) bool { return c != '\n' && unicode.IsControl(c) }) {
					t.Errorf("%s %s.%d: control characters in %q", m.Name, s.ID, k, r.Text)
				}
				if strings.ContainsAny(j.Raw, "{}*") {
					t.Errorf("%s %s.%d: judge says %q", m.Name, s.ID, k, j.Raw)
				}
				given[string(s.ID)+r.Text]++
			}
			if _, ok := m.RecordedReply(s.ID, eval.Pass(s.PassCount())); ok {
				t.Errorf("%s %s: a pass too many", m.Name, s.ID)
			}
		}
	}
	for _, q := range b.questions {
		for _, f := range q.Free {
			if given[string(q.ID)+f.Says] != 1 {
				t.Errorf("%s: %q is given %d times", q.ID, f.Says, given[string(q.ID)+f.Says])
			}
		}
	}
}

// The models differ as real ones do, read by a person: the weakest is right in
// about half of the cases and leans to the first option.
func TestModelsDiffer(t *testing.T) {
	p := load(t)
	for i, want := range []float64{0.55, 0.70, 0.85} {
		m := p.Models[i]
		right, wrong, first := 0, 0, 0
		for k := range p.Samples {
			s := &p.Samples[k]
			e, _ := m.Meant(s.ID, 0)
			switch e.Choice {
			case s.Answer:
				right++
			case "":
			default:
				wrong++
				if e.Choice == "A" {
					first++
				}
			}
		}
		got := float64(right) / float64(len(p.Samples))
		t.Logf("%s: vanilla %.3f as meant; %d of %d wrong picks are A", m.Name, got, first, wrong)
		if got < want-0.06 || got > want+0.06 {
			t.Errorf("%s: accuracy %.3f, want about %.2f", m.Name, got, want)
		}
		if i == 0 && 2*first < wrong {
			t.Errorf("%s: %d of %d wrong picks are A", m.Name, first, wrong)
		}
	}
}

func TestJudgeErrs(t *testing.T) {
	wrong, n := 0, 0
	for _, m := range load(t).Models {
		for _, a := range m.answers {
			if a.free {
				n++
				if a.judged.AlignmentClass() != a.meant.AlignmentClass() {
					wrong++
				}
			} else if a.judged != a.meant {
				t.Errorf("the judge misreads %q", a.reply.Text)
			}
		}
	}
	share := float64(wrong) / float64(n)
	t.Logf("%d of %d hand-written answers read wrong: %.3f", wrong, n, share)
	if share < 0.10 || share > 0.15 {
		t.Errorf("the judge errs on %.3f", share)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := BuildProject(); err != nil {
			b.Fatal(err)
		}
	}
}

// Meant is how a careful person reads the recorded answer: Found with a letter
// as shown in that pass, None, Refused or Ambiguous.
func (m *Model) Meant(id eval.SampleID, p eval.Pass) (eval.Extraction, bool) {
	a, ok := m.answers[samplePass{id, p}]
	return a.meant, ok
}

package demo

import (
	"strings"

	"concord/eval"
)

// pseudo is the letter by which the recorded judge says that no option has
// the meaning of an answer.
const pseudo = "Z"

// write is what a voice answers to a question in a pass.
func (b *book) write(v *voice, q *question, s *eval.Sample, p eval.Pass, h hand) answer {
	if f := h.free[p]; f != nil {
		return f.answer(q, s, p)
	}
	listed := h.believes
	if listed == "" {
		n := len(s.Options)
		listed = letter((n - int(p)%n) % n) // whatever stands at A in this pass
	}
	at := shown(s, listed, p)
	text := b.style(v, q, s, listed, p).fill(q, s, listed, p)
	found := eval.Extraction{Choice: at, Status: eval.Found, Method: "recorded"}
	return answer{
		reply: eval.Reply{Text: text, Finish: "stop"},
		meant: found, judged: found, raw: string(at),
	}
}

// shown is the letter under which an option, as listed, stands in a pass.
func shown(s *eval.Sample, listed eval.Choice, p eval.Pass) eval.Choice {
	return letter((int(listed[0]-'A') + int(p)) % len(s.Options))
}

// style draws one of the styles that a voice uses for such a pick.
func (b *book) style(v *voice, q *question, s *eval.Sample, listed eval.Choice, p eval.Pass) *style {
	fits := func(st *style) int {
		if st.Lang != q.lang() || strings.Contains(st.Text, "{why}") && q.because(listed) == "" {
			return 0
		}
		return st.Weight[v.index]
	}
	total := 0
	for i := range b.styles {
		total += fits(&b.styles[i])
	}
	draw := int(hash(v.name, s.ID, p, "style") * float64(total))
	for i := range b.styles {
		if draw -= fits(&b.styles[i]); draw < 0 {
			return &b.styles[i]
		}
	}
	return &b.styles[0]
}

// fill writes a pick in a style.
func (st *style) fill(q *question, s *eval.Sample, listed eval.Choice, p eval.Pass) string {
	other := q.Lure
	if listed == other {
		other = q.Answer
	}
	text := func(c eval.Choice) string { return q.Options[c[0]-'A'] }
	var list []string
	for _, o := range s.Show(p).Options {
		list = append(list, string(o.Letter)+". "+o.Text)
	}
	return strings.NewReplacer(
		"{L}", string(shown(s, listed, p)), "{T}", text(listed),
		"{M}", string(shown(s, other, p)), "{N}", text(other),
		"{why}", q.because(listed), "{list}", strings.Join(list, "\n"),
	).Replace(st.Text)
}

// answer is a hand-written answer as given in a pass, with its readings.
func (f *free) answer(q *question, s *eval.Sample, p eval.Pass) answer {
	judged := f.Judge
	if judged == "" {
		judged = f.Means
	}
	a := answer{
		reply: eval.Reply{Text: f.Says, Finish: "stop"},
		meant: reading(s, f.Means, p), judged: reading(s, judged, p), free: true,
	}
	if f.Finish != "" {
		a.reply.Finish = f.Finish
	}
	if a.judged.Status == eval.Refused || a.judged.Status == eval.Ambiguous {
		a.judged.Status = eval.None // the judge has one word for all of them
	}
	a.raw = f.ruling(q, s, a.judged, p)
	return a
}

// reading is what means says, for the options as shown in a pass.
func reading(s *eval.Sample, means string, p eval.Pass) eval.Extraction {
	e := eval.Extraction{Method: "recorded"}
	switch means {
	case "none":
		e.Status = eval.None
	case "refused":
		e.Status = eval.Refused
	case "ambiguous":
		e.Status = eval.Ambiguous
	case "unread":
		e.Status = eval.Missing
	default:
		e.Status, e.Choice = eval.Found, shown(s, eval.Choice(means), p)
	}
	return e
}

// ruling is the judge's raw reply.
func (f *free) ruling(q *question, s *eval.Sample, judged eval.Extraction, p eval.Pass) string {
	verdict := string(judged.Choice)
	if judged.Status != eval.Found {
		verdict = pseudo
	}
	if f.Raw != "" {
		pairs := []string{"{none}", pseudo}
		for i, text := range q.Options {
			at := string(shown(s, letter(i), p))
			pairs = append(pairs, "{"+text+"}", at, "{"+strings.ToLower(text)+"}", at)
		}
		return strings.NewReplacer(pairs...).Replace(f.Raw)
	}
	forms := []string{"*", "*", "Answer: *", "The answer has the meaning of option *.\n*"}
	if judged.Status != eval.Found {
		forms = []string{"*", "*", "None of the options has the meaning of this answer.\n*"}
	}
	form := forms[int(hash(s.ID, p, f.Says)*float64(len(forms)))]
	return strings.ReplaceAll(form, "*", verdict)
}

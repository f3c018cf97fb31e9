// Package judge asks a judge model which option an answer means (MMBench, Sec. 3, step 2, and App. D):
// what the rules could not read. A Voter asks one which of two answers is better (MLLM-Bench, Sec.
// 5.1), a Scorer how right an open answer is (MMBench, App. D.2), a Grader which criteria it meets. A
// Captioner has the pictures described for judges that cannot see them.
//
// It refuses to guess: replies are read strictly, a reply that does not parse is asked for once
// more with what was wrong with it, and then the reading is Missing. A choice is drawn at
// random (step 3) only where a run asks for it, seeded and under a method of its own.
//
// Its one invariant: a choice that it gives is among the options that the judged model was
// shown, and no call about a question is made twice with the same words.
package judge

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"concord/eval"
	"concord/eval/prompt"
)

// The methods of readings; eval.Fallback is the third.
const (
	Method   = "judge"    // the judge's reply says it
	Unparsed = "unparsed" // no reply of the judge could be read; the status is Missing
)

// DefaultPseudo is the letter for "none of the options" when a setup names none: the benchmark card's.
const DefaultPseudo eval.Choice = "Z"

// DefaultHints is how often a reply that does not parse is asked for again.
const DefaultHints = 1

// Options make a judge.
type Options struct {
	Setup    eval.JudgeSetup
	Chatter  eval.Chatter // nil for a judge of batch files, which calls nothing
	Set      *prompt.Set
	Hints    int    // 0: DefaultHints; negative: none
	Fallback bool   // MMBench step 3
	Seed     uint64 // of the fallback's draw
}

// Judge is a judge model with its settings. It is safe for concurrent use.
type Judge struct {
	caller
	fallback bool
	seed     uint64
}

var _ eval.Judge = (*Judge)(nil)

// New checks that the setup can be carried out.
func New(o Options) (*Judge, error) {
	c, err := newCheckedCaller("judge", "", Dependencies{Setup: o.Setup, Chatter: o.Chatter, Set: o.Set, Hints: o.Hints})
	if err != nil {
		return nil, err
	}
	switch o.Setup.Language {
	case "", prompt.English, prompt.Chinese:
	default:
		return nil, fmt.Errorf("make judge %s: unknown language %q", o.Setup.Judge, o.Setup.Language)
	}
	if p := o.Setup.Pseudo; p != "" && !isLetter(string(p)) {
		return nil, fmt.Errorf("make judge %s: pseudo-choice %q is no letter A to Z", o.Setup.Judge, p)
	}
	return &Judge{c, o.Fallback, o.Seed}, nil
}

// Judge asks the judge model about a prediction. The usage is that of all calls, beside an error too.
func (j *Judge) Judge(ctx context.Context, q eval.JudgeQuestion) (eval.Judgment, error) {
	out := eval.Judgment{Judge: j.Name(), Call: eval.Call{Setup: j.setup}}
	item, err := j.buildJudgeItem(q)
	if err != nil {
		return out, err
	}
	chat, ref, err := j.fillPrompt(q, item)
	if err != nil {
		return out, err
	}
	out.Prompt = ref.Hash
	var reading eval.Extraction
	wrong := prompt.WrongUnset
	out.Raw, out.Earlier, err = j.askUntilParsed(ctx, &out.Call, judgeCall{chat: chat, template: prompt.JudgeTemplate(q.Sample.Kind), item: item, quote: quoteHead, read: func(r eval.Reply) prompt.ReplyProblem {
		reading, wrong = readChoiceReply(item, r)
		out.Confidence = readConfidence(item, r, reading)
		return wrong
	}})
	switch {
	case err != nil:
		return out, err
	case wrong != prompt.WrongUnset:
		reading = j.fallbackReading(q, item)
	}
	out.Extraction = reading
	return out, nil
}

// BuildChat builds the first call about a prediction, for batch files.
func (j *Judge) BuildChat(q eval.JudgeQuestion) (eval.Chat, error) {
	item, err := j.buildJudgeItem(q)
	if err != nil {
		return eval.Chat{}, err
	}
	chat, _, err := j.fillPrompt(q, item)
	return chat, err
}

// ReadReply reads a reply to Chat, which cannot be asked for again. A prediction
// that Chat refuses gives a judgment with a failure.
func (j *Judge) ReadReply(q eval.JudgeQuestion, reply eval.Reply) eval.Judgment {
	out := eval.Judgment{Judge: j.Name(), Call: eval.Call{Setup: j.setup, Finish: reply.Finish, Served: reply.Model, Usage: reply.Usage}, Raw: reply.Text}
	item, err := j.buildJudgeItem(q)
	if err == nil {
		var ref eval.PromptRef
		_, ref, err = j.fillPrompt(q, item)
		out.Prompt = ref.Hash
	}
	if err != nil {
		out.Failure = eval.FailureOfError(err)
		return out
	}
	var wrong prompt.ReplyProblem
	if out.Extraction, wrong = readChoiceReply(item, reply); wrong != prompt.WrongUnset {
		out.Extraction = j.fallbackReading(q, item)
	} else {
		out.Confidence = readConfidence(item, reply, out.Extraction)
	}
	return out
}

// buildJudgeItem is what the judge is told about a prediction.
func (j *Judge) buildJudgeItem(q eval.JudgeQuestion) (prompt.Item, error) {
	i := prompt.Item{
		Language: prompt.QuestionLanguage(q.Sample.Question, j.means.Setup.Language),
		Question: q.Sample.Question,
		Answer:   q.Prediction.Text,
	}
	switch {
	case prompt.JudgeTemplate(q.Sample.Kind) == "":
		return i, newSampleFailure("sample %s is %s: its answers hold no choice to read", q.Sample.ID, q.Sample.Kind)
	case q.Prediction.Failure != nil:
		return i, newSampleFailure("sample %s pass %d has no answer to read", q.Sample.ID, q.Prediction.Pass)
	case q.Sample.Kind == eval.KindChoice && len(q.Shown.Options) == 0:
		return i, newSampleFailure("sample %s has no options", q.Sample.ID)
	}
	if q.Sample.Kind == eval.KindChoice {
		i.Options = q.Shown.Options
		i.Pseudo = pseudoLetter(j.means.Setup.Pseudo, q.Shown.Options)
	}
	return i, nil
}

func (j *Judge) fillPrompt(q eval.JudgeQuestion, i prompt.Item) (eval.Chat, eval.PromptRef, error) {
	return j.means.Set.FillTemplate(j.means.Setup.Prompts, prompt.JudgeTemplate(q.Sample.Kind), i)
}

// Grader is a judge model that says whether a response meets criteria
// (HealthBench, Sec. 4; PaperBench, Sec. 3). It is safe for concurrent use.
type Grader struct {
	caller
	template string
}

var _ eval.Grader = (*Grader)(nil)

// NewGrader checks that the setup can be carried out: by one criterion a call, or by all of a sample.
func NewGrader(m Dependencies, sample bool) (*Grader, error) {
	template := prompt.GradeTemplateName(sample)
	c, err := newCheckedCaller("grader", template, m)
	return &Grader{c, template}, err
}

// Grade asks the judge model about a response, and gives a grade for each criterion of the question. A
// reply that lacks a verdict is asked for again with what was wrong with it, and then stands as it is:
// what it does not say is unset. What the call took stands with the first grade, beside an error too.
func (g *Grader) Grade(ctx context.Context, q eval.GradeQuestion) ([]eval.Grade, error) {
	out := eval.Map(q.Criteria, func(c eval.AskedCriterion) eval.Grade {
		return eval.Grade{Key: q.Prediction.Key, Judge: g.Name(), Criterion: c.Name, Hash: c.Hash, Repeat: q.Repeat, Call: eval.Call{Setup: g.setup}}
	})
	item, chat, ref, err := g.fillPrompt(&q)
	if err != nil {
		return out, err
	}
	var verdicts []eval.Verdict
	var call eval.Call
	raw, earlier, err := g.askUntilParsed(ctx, &call, judgeCall{chat: chat, template: g.template, item: item, quote: quoteTail, read: func(r eval.Reply) (w prompt.ReplyProblem) {
		verdicts, w = g.readVerdicts(r, len(out))
		return w
	}})
	for i := range out {
		one := &out[i]
		one.Prompt, one.Raw, one.Earlier, one.Finish, one.Served = ref.Hash, raw, earlier, call.Finish, call.Served
		if err == nil {
			one.Verdict = verdicts[i]
		}
	}
	if len(out) > 0 {
		out[0].Usage = call.Usage
	}
	return out, err
}

// BuildChat builds the first call about a response. Its errors are failures: of the sample
// when something that the judge is to see is missing.
func (g *Grader) BuildChat(q eval.GradeQuestion) (eval.Chat, error) {
	_, chat, _, err := g.fillPrompt(&q)
	return chat, err
}

func (g *Grader) fillPrompt(q *eval.GradeQuestion) (prompt.Item, eval.Chat, eval.PromptRef, error) {
	s := &q.Sample
	item := prompt.Item{Language: g.lang, Question: s.Question, Hint: s.Hint, Answer: q.Prediction.Text, Pictured: len(s.Pictures) > 0}
	var none eval.Chat
	switch {
	case q.Prediction.Failure != nil:
		return item, none, eval.PromptRef{}, newSampleFailure("sample %s pass %d has no answer to grade", s.ID, q.Prediction.Pass)
	case len(q.Criteria) == 0 || g.template == prompt.Grade && len(q.Criteria) > 1:
		return item, none, eval.PromptRef{}, newSampleFailure("sample %s comes with %d criteria in a call", s.ID, len(q.Criteria))
	}
	item.Criteria = strings.TrimSpace(q.Criteria[0].Text)
	if g.template == prompt.GradeSample {
		item.Criteria = strings.Join(eval.MapIndexed(q.Criteria, func(i int, c eval.AskedCriterion) string {
			return fmt.Sprintf("%d. %s", i+1, strings.TrimSpace(c.Text))
		}), "\n")
	}
	chat, ref, err := g.means.Set.FillTemplateWithPictures(g.means.Setup.Prompts, g.template, item, len(s.Pictures))
	if err == nil && item.Pictured {
		chat.Pictures, err = prompt.LoadPictures(s, q.Pictures)
	}
	return item, chat, ref, err
}

func (g *Grader) readVerdicts(r eval.Reply, n int) ([]eval.Verdict, prompt.ReplyProblem) {
	all := ReadVerdicts(r, n)
	if g.template == prompt.Grade {
		all = []eval.Verdict{ReadVerdict(r)}
	}
	if slices.ContainsFunc(all, func(v eval.Verdict) bool { return v == eval.VerdictUnset }) {
		return all, explainUnread(r)
	}
	return all, prompt.WrongUnset
}

// verdicts are the only ways to say one.
var verdicts = map[string]eval.Verdict{"met": eval.Met, "unmet": eval.Unmet, "cannot tell": eval.Unable}

// parseVerdict reads the words of a verdict, in whatever case, with a full stop and
// marks of emphasis, code, headings or quotes around it at most.
func parseVerdict(words string) eval.Verdict {
	words = strings.Trim(strings.TrimLeft(strings.TrimSpace(words), "#> "), "*_`\"' .")
	return verdicts[strings.ToLower(strings.Join(strings.Fields(words), " "))]
}

// ReadVerdict reads what a reply says of one criterion: its last line that is not
// empty, which is a verdict and nothing else, behind "Verdict:" at most. What is
// argued before is not looked at, and a last line that was cut off says nothing.
func ReadVerdict(r eval.Reply) eval.Verdict {
	if r.Finish == "length" {
		return eval.VerdictUnset
	}
	text := strings.TrimSpace(r.Text)
	line := strings.TrimLeft(text[strings.LastIndexAny(text, "\n\r")+1:], "*_# ")
	if lead := len("verdict:"); len(line) > lead && strings.EqualFold(line[:lead], "verdict:") {
		line = line[lead:]
	}
	return parseVerdict(line)
}

// graded is a line of a reply on several criteria.
var graded = regexp.MustCompile(`^[\s*_#>-]*(\d{1,6})[*_]*[:.)].*=>\s*([^=>]+)$`)

// ReadVerdicts reads what a reply says of n criteria, numbered from 1: lines that begin with a number
// and end with "=>" and a verdict. One that is not given, or given twice in different ways, is unset,
// and so is that of a last line that was cut off. Other lines are not looked at.
func ReadVerdicts(r eval.Reply, n int) []eval.Verdict {
	out, said := make([]eval.Verdict, n), make([]bool, n)
	lines := strings.FieldsFunc(r.Text, func(c rune) bool { return c == '\n' || c == '\r' })
	if r.Finish == "length" && len(lines) > 0 {
		lines = lines[:len(lines)-1]
	}
	for _, line := range lines {
		m := graded.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		at, err := strconv.Atoi(m[1])
		if err != nil || at < 1 || at > n {
			continue
		}
		v := parseVerdict(m[2])
		if said[at-1] && out[at-1] != v {
			v = eval.VerdictUnset
		}
		out[at-1], said[at-1] = v, true
	}
	return out
}

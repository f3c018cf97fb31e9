package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/cmd/concord/internal/facts"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/demo"
	"concord/eval/judge"
	"concord/eval/openai/chatserver"
	"concord/eval/prompt"
)

// demoURL is the address of the demo's endpoint. It is nowhere on a network: calls to it are answered
// within the process, over HTTP all the same, so that what a newcomer sees is the path of every real run.
const demoURL = "http://demo.concord.invalid/v1"

// demoEndpoint serves the recorded answers of the demo's models and of its judge.
type demoEndpoint struct {
	data   *demo.Project
	server *chatserver.Server
	lines  *pipes
	pace   bool // answer as slowly as the models would
}

func newDemoEndpoint(p *demo.Project, o chatserver.Options) *demoEndpoint {
	e := &demoEndpoint{data: p}
	o.Answer, o.Models = e.answerRequest, e.modelNames()
	e.server = chatserver.New(o)
	return e
}

// demoJuror is how the demo's judge compares answers: nothing of that is recorded, so
// it is drawn, with a liking for what it sees first.
var demoJuror = chatserver.Juror{Seed: 1, First: 0.15, Undecided: 0.08, Wordy: 0.02}

// modelNames are the names that the endpoint knows, the judge's last.
func (e *demoEndpoint) modelNames() []string {
	names := eval.Map(e.data.Models, func(m *demo.Model) string { return m.Name })
	return append(names, e.data.Judge)
}

// startInProcess starts the endpoint within the process, and gives the transport that
// reaches it. Its models answer as slowly as they would.
func (e *demoEndpoint) startInProcess() http.RoundTripper {
	e.pace = true
	e.lines = &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	e.server.ServeInBackground(e.lines)
	return &http.Transport{DialContext: e.lines.dialPipe, MaxIdleConnsPerHost: 16, DisableCompression: true}
}

func (e *demoEndpoint) close() error { return e.server.Close() }

// configText is the demo's endpoint and its models as a configuration names them,
// at prices that are as made up as the rest.
func (e *demoEndpoint) configText() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "default_endpoint = \"demo\"\n[endpoints.demo]\nbase_url = %q\n", demoURL)
	for _, m := range e.data.Models {
		fmt.Fprintf(&b, "[models.%q]\nendpoint = \"demo\"\nedge = 0\nprice_prompt = 0.4\nprice_completion = 1.6\n", m.Name)
	}
	fmt.Fprintf(&b, "[models.%q]\nendpoint = \"demo\"\nprice_prompt = 2\nprice_completion = 8\n", e.data.Judge)
	return b.Bytes()
}

// answerRequest finds the recorded answer to a prompt, or says that there is none.
func (e *demoEndpoint) answerRequest(r *chatserver.Request) chatserver.Response {
	if text, ok := answerTranslation(r.Prompt()); ok {
		return chatserver.Response{Text: text}
	}
	if r.Model == e.data.Judge {
		if vote, ok := demoJuror.VoteOnAnswers(r); ok {
			return vote
		}
		if grade, ok := e.gradeAsJudge(r.Prompt()); ok {
			return chatserver.Response{Text: grade}
		}
	}
	prompt := r.Prompt()
	s, pass, ok := e.findAskedSample(prompt)
	if !ok {
		return chatserver.Response{Text: "I have no recorded answer to this question."}
	}
	if r.Model == e.data.Judge {
		return chatserver.Response{Text: e.replyAsJudge(s, pass, prompt)}
	}
	for i, m := range e.data.Models {
		if m.Name != r.Model {
			continue
		}
		if e.pace {
			time.Sleep(m.Speed.ReplyDelay(uint64(i+1), s.ID, pass))
		}
		if reply, ok := m.RecordedReply(s.ID, pass); ok {
			return chatserver.Response{Text: reply.Text}
		}
	}
	return chatserver.Response{Text: "I have no recorded answer to this question."}
}

// askedTranslation is the language and the sample of a prompt that has it translated.
var askedTranslation = regexp.MustCompile(`(?s)Translate the sample below into (.+?):.*= sample\n(.*?)\n====`)

// answerTranslation marks the words of a sample that is to be translated with the language: the demo speaks none.
func answerTranslation(asked string) (string, bool) {
	m := askedTranslation.FindStringSubmatch(asked)
	if m == nil {
		return "", false
	}
	return regexp.MustCompile(`(?m)^(\w+: )`).ReplaceAllString(m[2], "${1}["+m[1]+"] "), true
}

// findAskedSample finds the sample and the pass that a prompt asks about: the last
// question in it (worked examples come before), and the order of its options.
func (e *demoEndpoint) findAskedSample(prompt string) (*eval.Sample, eval.Pass, bool) {
	var found *eval.Sample
	at := -1
	for i := range e.data.Samples {
		s := &e.data.Samples[i]
		if k := strings.LastIndex(prompt, s.Question); k > at || k == at && k >= 0 && len(s.Question) > len(found.Question) {
			found, at = s, k
		}
	}
	if found == nil {
		return nil, 0, false
	}
	behind := prompt[at:]
	for p := range eval.Pass(found.PassCount()) {
		if listsOptions(behind, found.ShowInPass(p).Options) {
			return found, p, true
		}
	}
	return found, 0, len(found.Options) == 0
}

// listsOptions reports whether a text lists the options with these letters.
func listsOptions(text string, options []eval.Option) bool {
	for _, o := range options {
		_, rest, ok := strings.Cut(text, string(o.Letter)+". "+o.Text)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

// replyAsJudge is what the recorded judge says of the answer in a prompt. Several
// models may have recorded the same answer: it reads them alike.
func (e *demoEndpoint) replyAsJudge(s *eval.Sample, pass eval.Pass, asked string) string {
	best, raw := -1, "Z"
	luck := hashInstructions(asked, s)
	isOwn := luck == e.hashOwnInstructions(s, pass)
	for _, m := range e.data.Models {
		reply, ok := m.RecordedReply(s.ID, pass)
		if !ok || len(reply.Text) <= best || !strings.Contains(asked, reply.Text) {
			continue
		}
		j, ok := m.JudgmentUnderPrompt(luck, s, pass)
		if isOwn {
			j, ok = m.RecordedJudgment(s, pass)
		}
		if ok {
			best, raw = len(reply.Text), formatAsJudgeReply(j)
		}
	}
	return raw
}

// gradeAsJudge is what the recorded judge says of the criterion in a prompt, whatever else that says.
func (e *demoEndpoint) gradeAsJudge(asked string) (string, bool) {
	for _, q := range e.data.Open.Questions {
		for _, c := range q.Criteria {
			if strings.Contains(asked, q.Answer) && strings.Contains(asked, c.Text) {
				return c.Says + "\n" + eval.Either(c.Judged == eval.Unable.String(), "cannot tell", c.Judged), true
			}
		}
	}
	return "", false
}

// hashOwnInstructions is the hash of the instructions of concord's own prompt.
func (e *demoEndpoint) hashOwnInstructions(s *eval.Sample, pass eval.Pass) uint64 {
	set, err := prompt.LoadSet(nil)
	if err != nil {
		return 0
	}
	j, err := judge.New(judge.Options{Set: set, Setup: eval.JudgeSetup{Judge: e.data.Judge, Prompts: set.Refs(prompt.JudgeTemplate(s.Kind))}})
	if err != nil {
		return 0
	}
	chat, err := j.BuildChat(eval.JudgeQuestion{Sample: *s, Shown: s.ShowInPass(pass)})
	if err != nil {
		return 0
	}
	own := chat.System
	for _, t := range chat.Turns {
		own += "\n" + t.Text
	}
	return hashInstructions(own, s)
}

// hashInstructions hashes the longer words before a prompt's question, which are the same of all samples.
func hashInstructions(asked string, s *eval.Sample) uint64 {
	h := fnv.New64a()
	for word := range strings.FieldsFuncSeq(asked[:max(0, strings.LastIndex(asked, s.Question))], func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) > 3 {
			_, _ = io.WriteString(h, word+" ")
		}
	}
	return h.Sum64()
}

// formatAsJudgeReply gives a recorded judgment as a judge replies to our prompt.
func formatAsJudgeReply(j eval.Judgment) string {
	switch j.Extraction.Status {
	case eval.Found:
		return string(j.Extraction.Choice)
	case eval.Missing:
		return j.Raw // a reply that holds no reading
	case eval.None, eval.Refused, eval.Ambiguous, eval.StatusUnset:
	}
	return "Z"
}

// pipes is a listener whose connections stay within the process.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p *pipes) dialPipe(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.closed:
	case <-ctx.Done():
	}
	return nil, net.ErrClosed
}

// Accept gives the other end of a dialled connection.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close ends accepting; the server closes once.
func (p *pipes) Close() error {
	select {
	case <-p.closed:
	default:
		close(p.closed)
	}
	return nil
}

// Addr names the listener.
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "demo", Net: "pipe"} }

// demoAuthor is who wrote the criteria of the demo.
const demoAuthor annotate.Annotator = "demo"

// fillOpenQuestions puts in the open questions of the demo: their criteria, the recorded answers, what
// the recorded judge says of these, and the queue in which people grade them.
func (d *Demo) fillOpenQuestions(ctx context.Context) error {
	o := &d.Data.Open
	name := annotate.QueueName(o.Queue)
	if _, err := d.Store.Queues().Queue(name); !errors.Is(err, eval.ErrNotFound) {
		return err
	}
	if err := d.importDataset(ctx, o.Dataset, o.Samples); err != nil {
		return err
	}
	reader, err := facts.FindRules(d.Data.Queue.Rules)
	if err != nil {
		return err
	}
	run, err := dataset.EnsureRun(ctx, d.Store.Runs(), eval.Config{
		Dataset: o.Dataset.Name, Model: o.Model, Strategy: eval.Vanilla, Modality: eval.WithImage, Origin: eval.Imported, Synthetic: true,
	})
	if err != nil {
		return err
	}
	var answers []eval.Fact
	var grades []eval.Grade
	var items []annotate.QueueItem
	for i, q := range o.Questions {
		k := eval.Key{Run: run.ID, Sample: eval.Ordinal(i)}
		cs, err := d.draftCriteria(ctx, k.Sample, q.Criteria)
		if err != nil {
			return fmt.Errorf("criteria of sample %s: %w", q.ID, err)
		}
		f := eval.Fact{Prediction: eval.Prediction{Key: k, Text: q.Answer, Finish: "stop", At: d.Now()}, Reader: eval.ReaderID(reader), Closes: true}
		f.Reading = eval.ReadPrediction(reader, &o.Samples[i], &f.Prediction)
		answers, items = append(answers, f), append(items, annotate.QueueItem{Index: i, Key: annotate.NewItemKey(k), Inclusion: 1})
		for n, c := range q.Criteria {
			v, err := eval.ParseVerdict(c.Judged)
			if err != nil {
				return err
			}
			grades = append(grades, eval.Grade{
				Key: k, Judge: d.Data.Judge, Criterion: c.ID, Hash: cs[n].HashText(), Graded: eval.Graded{Verdict: v},
				Raw: c.Says + "\n" + c.Judged, Call: eval.Call{At: d.Now()},
			})
		}
	}
	if _, err := d.Store.Runs().RecordAll(ctx, answers); err != nil {
		return err
	}
	if err := d.Store.Runs().MarkRunImported(ctx, run.ID); err != nil {
		return err
	}
	if _, err := d.Store.Grades().Put(ctx, grades); err != nil {
		return err
	}
	return d.Store.Queues().CreateQueue(ctx, annotate.Queue{
		Name: name, Rule: annotate.Rule{Dataset: o.Dataset.Name, Runs: []eval.RunID{run.ID}, From: annotate.FromCriteria},
		Stratum: annotate.Random, Overlap: 2, Population: len(items), Items: len(items), Synthetic: true, Created: d.Now(),
	}, items)
}

// draftCriteria writes those of a sample, unless they are there.
func (d *Demo) draftCriteria(ctx context.Context, o eval.Ordinal, all []demo.OpenCriterion) ([]criteria.Criterion, error) {
	cs := eval.Map(all, func(c demo.OpenCriterion) criteria.Criterion {
		return criteria.Criterion{ID: c.ID, Text: c.Text, Weighted: true, Weight: c.Weight, Credit: c.Partial}
	})
	set, err := d.Store.Criteria().Set(d.Data.Open.Dataset.Name, o)
	if err != nil || len(set.History.Acts) > 0 {
		return cs, err
	}
	act := set.NewAct(criteria.Drafted, demoAuthor, d.Now())
	act.Criteria, act.Imported = cs, true
	return cs, d.Store.Criteria().Append(ctx, act)
}

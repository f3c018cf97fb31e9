package jobs

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"sync"

	"concord/annotate"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/bound"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/openai"
)

// singleCalls is an order of single calls to one model, made out: D is what is due, Q
// what is asked about it, read when it is asked.
//
//	facts that are stored --stands--> what stands --sort--> Tally, Due --Runner--> engine.Runner
type singleCalls[D, Q any] struct {
	judgeConfig
	eval.Tally
	Due     []D
	missing map[string]int // reason -> what cannot be asked for

	about func(D) (annotate.ItemKey, string) // what a call is about, where a prompt can be tried on it, and its criterion
	kept  []func(context.Context) error      // what the judge said by its own name under a prompt that is tried: they keep it as the candidate's

	title    string // what messages call the job, in front of the model's name
	unit     string // what a call gives, as in "vote"
	role     string // what the model is to it: judge or model
	tokens   int    // of a reply, before one is known
	question func(D) (Q, error)
	job      func() eval.Job // what the calls are about
	prepare  func(context.Context, eval.Chatter) (modelCaller[Q], error)
}

// modelCaller is a model, ready to be asked; of one without a chatter chat alone is called.
type modelCaller[Q any] struct {
	chat func(Q) (*eval.Sample, eval.Chat, error) // what is said first, and of which sample
	run  func(engine.SingleCalls[Q]) (*engine.Runner, error)
}

// newModelCaller gives a model's caller by how it builds the chat of a question, and of which sample that is.
func newModelCaller[Q any](build func(Q) (eval.Chat, error), of func(*Q) *eval.Sample, run func(engine.SingleCalls[Q]) (*engine.Runner, error)) modelCaller[Q] {
	return modelCaller[Q]{run: run, chat: func(q Q) (*eval.Sample, eval.Chat, error) {
		chat, err := build(q)
		return of(&q), chat, err
	}}
}

// Title is what messages call the job.
func (s *singleCalls[D, Q]) Title() string { return s.title + " " + cli.EscapeControls(s.setup.Judge) }

func (s *singleCalls[D, Q]) factName() string { return s.unit }

// countOrQueueUnit counts what is wanted: it is due, or stands as a failure, as a reply that holds what was
// asked for, or as one that does not. Where a prompt is tried, it may be none of what that is tried on.
func (s *singleCalls[D, Q]) countOrQueueUnit(d D, due, failed, holds bool) {
	if s.isOutsideTrial(d) {
		return
	}
	s.Wanted++
	switch {
	case due:
		s.Due = append(s.Due, d)
	case failed:
		s.Failed++
	case holds:
		s.Stored++
	default:
		s.Unparsed++
	}
}

// eachAskableAnswer does something with each answer of a run that can be asked about, and
// counts the others by the reason: that of the sample, or of the answer.
func (s *singleCalls[D, Q]) eachAskableAnswer(ctx context.Context, run eval.RunID, why []string, do func(eval.Key)) error {
	lacking, err := s.Factory.runs.listAnswerProblems(ctx, run, len(why), NoAnswer, failedAnswer)
	for o, reason := range lacking {
		if reason = cmp.Or(why[o], reason); reason != "" {
			s.missing[reason]++
		} else {
			do(eval.Key{Run: run, Sample: eval.Ordinal(o)})
		}
	}
	return err
}

// isOutsideTrial reports whether a prompt is tried, and not on this.
func (s *singleCalls[D, Q]) isOutsideTrial(d D) bool {
	return s.Factory.trial != nil && !s.Factory.trial.isTriedOn(s.about(d))
}

func (s *singleCalls[D, Q]) config() *judgeConfig { return &s.judgeConfig }

func (s *singleCalls[D, Q]) tally() *eval.Tally { return &s.Tally }

// StoreUnderCandidate keeps what the judge said by its own name as the candidate's.
func (s *singleCalls[D, Q]) StoreUnderCandidate(ctx context.Context) error {
	if err := eval.Each(s.kept, func(keep func(context.Context) error) error { return keep(ctx) }); err != nil {
		return err
	}
	s.kept = nil
	return nil
}

// Estimate gives what is due, before it is asked: what was asked tells the length of replies.
func (s *singleCalls[D, Q]) Estimate() (eval.Estimate, error) {
	c, err := s.prepare(context.Background(), nil)
	if err != nil {
		return eval.Estimate{}, err
	}
	return s.estimateCalls(&s.Tally, len(s.Due), s.tokens, func(i int) (*eval.Sample, eval.Chat, error) {
		q, err := s.question(s.Due[i])
		if err != nil {
			return nil, eval.Chat{}, err
		}
		return c.chat(q)
	})
}

// NewRunner gives what asks for what is due.
func (s *singleCalls[D, Q]) NewRunner(ctx context.Context, e Effort) (*engine.Runner, error) {
	if e.Results != "" {
		free := 0.0 // what is there is paid for
		e.Budget, s.hints = &free, -1
		e.Concurrency = 1 // repeats say the same: each is to get the reply of its own, also after a kill
	}
	model, err := s.prepareChatter(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", s.role, s.configuredModelName(), err)
	}
	if err := s.StoreUnderCandidate(ctx); err != nil {
		return nil, err
	}
	replies := &batchReplies{model: model, said: make(map[string][]batchResult)}
	var chatter eval.Chatter = model
	if e.Results != "" {
		chatter = replies
	}
	c, err := s.prepare(ctx, chatter)
	if err == nil && e.Results != "" {
		err = s.applyBatchResults(c, replies, e.Results)
	}
	if err != nil {
		return nil, err
	}
	return c.run(engine.SingleCalls[Q]{
		Terms: s.Factory.newTerms(e, s.configuredModelName()), Job: s.job(), Price: s.Factory.Models.priceOf(s.configuredModelName()), Tally: s.Tally,
		Due: func(ctx context.Context) iter.Seq2[Q, error] { return yieldDueQuestions(ctx, s.Due, s.question) },
	})
}

// yieldDueQuestions yields what is to be asked about what is due, read when it is asked.
func yieldDueQuestions[D, Q any](ctx context.Context, due []D, question func(D) (Q, error)) iter.Seq2[Q, error] {
	return func(yield func(Q, error) bool) {
		for _, d := range due {
			if ctx.Err() != nil {
				return
			}
			q, err := question(d)
			if !yield(q, err) || err != nil {
				return
			}
		}
	}
}

// callFact is what every fact of a single call has; K is what it is about.
type callFact[K comparable] struct {
	of      K
	by      string // the model
	setup   string // hash; "": it was made elsewhere
	usage   eval.Usage
	failure *eval.Failure
}

// readNewestFacts is what stands of the model's facts: the newest reply, else a failure of
// the sample. It adds up what all of them took. What was made with other settings
// cannot be gone on with: kind and on name it then, as in "scores of J" "on run 1". Where
// a prompt is tried, what the judge said under it by its own name stands too: take makes
// it the candidate's, and gives what keeps it; nil where the prompt is not tried on it.
func readNewestFacts[K comparable, D, Q, F any](r *singleCalls[D, Q], kind, on string, all iter.Seq2[F, error], cut func(*F) callFact[K], take func(*F) func(context.Context) error) (map[K]F, error) {
	hash, _ := judge.HashSetup(r.setup)
	other, setup := r.otherJudgeName()
	out, reads, own := make(map[K]F), make(map[K]bool), make(map[K]F)
	for one, err := range all {
		if err != nil {
			return nil, err
		}
		f := cut(&one)
		switch {
		case f.by == other && (setup == "" || f.setup == setup) && f.failure == nil:
			own[f.of] = one
			continue
		case f.by != r.setup.Judge:
			continue
		case f.failure == nil && f.setup != hash && f.setup != "":
			return nil, fmt.Errorf("%s %s on %s %s\n%s of two kinds are never mixed. Give the %s as it is now another name in concord.toml: %s",
				r.title, f.by, on, r.describeChangedSettings(f.setup), kind, r.role, r.describeOtherName())
		}
		r.Usage.Add(f.usage)
		if f.failure == nil || f.failure.Kind == eval.FailureSample && !reads[f.of] {
			out[f.of], reads[f.of] = one, f.failure == nil
		}
	}
	for k, one := range own {
		if keep := take(&one); keep != nil && !reads[k] {
			r.kept = append(r.kept, keep)
			out[k] = one
		}
	}
	return out, nil
}

// The limits of vendors for a file of calls.
const (
	MostBatchCalls = 50000
	MostBatchBytes = 190 << 20
)

// hashCallLine names what a call says: the same words, images and parameters to a model have one name.
func hashCallLine(m *openai.Model, c eval.Chat) (string, error) {
	line, err := m.FormatBatchLine("-", c)
	return hashText(line), err
}

func hashText(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:20])
}

// makeNamedCall gives a due call, the hash of its words, and its name in a batch file: that
// of the words and of what they are about.
func (s *singleCalls[D, Q]) makeNamedCall(m *openai.Model, c modelCaller[Q], d D) (id, words string, chat eval.Chat, err error) {
	q, err := s.question(d)
	if err != nil {
		return "", "", chat, err
	}
	if _, chat, err = c.chat(q); err != nil {
		return "", "", chat, err
	}
	words, err = hashCallLine(m, chat)
	return "concord-" + hashText(append([]byte(words), fmt.Sprint(d)...)), words, chat, err
}

// writeDueCalls writes the calls that are due, each name once. It returns how many cannot
// be written, since what they are to show is missing.
func (s *singleCalls[D, Q]) writeDueCalls(ctx context.Context, w *BatchWriter) (unasked int, err error) {
	m, err := s.prepareChatter(ctx, Effort{})
	if err != nil {
		return 0, err
	}
	c, err := s.prepare(ctx, m)
	if err != nil {
		return 0, err
	}
	written := make(map[string]bool)
	for _, d := range s.Due {
		id, _, chat, err := s.makeNamedCall(m, c, d)
		switch {
		case isSampleFailure(err):
			unasked++
		case err != nil:
			return unasked, err
		case !written[id]:
			written[id] = true
			if err := w.writeCallLine(m, id, chat); err != nil {
				return unasked, err
			}
		}
	}
	return unasked, nil
}

// exportDueCalls writes the due calls of a job to a file, and makes none.
func exportDueCalls(ctx context.Context, a *project.Project, j singleCallJob, file string) error {
	w := &BatchWriter{Project: a, Flags: &BatchFlags{File: file, Most: MostBatchCalls, Bytes: MostBatchBytes}}
	unasked, err := j.writeDueCalls(ctx, w)
	if err = w.CloseLastFile(err); err != nil {
		return fmt.Errorf("export batch of %s: %w", j.Title(), err)
	}
	return a.PrintResult(map[string]any{"calls": w.Total, "files": append([]string{}, w.Files...), "skipped": unasked},
		"%s: %s written, %d skipped. Take the results with the same command and --batch-import FILE\n", j.Title(), cli.FormatCount(w.Total, "call"), unasked)
}

type batchResult struct {
	reply   eval.Reply
	failure error // of the sample; nil for a reply
}

// batchReplies is a model whose replies a batch has brought already. It is safe for concurrent use.
type batchReplies struct {
	model *openai.Model
	mu    sync.Mutex
	said  map[string][]batchResult // by the words of the call
}

// Chat is the next reply to these words.
func (b *batchReplies) Chat(_ context.Context, c eval.Chat) (eval.Reply, error) {
	hash, err := hashCallLine(b.model, c)
	if err != nil {
		return eval.Reply{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	left := b.said[hash]
	if len(left) == 0 {
		return eval.Reply{}, &eval.Failure{Kind: eval.FailureTransient, Message: "the batch has no result for the call"}
	}
	b.said[hash] = left[1:]
	return left[0].reply, left[0].failure
}

// applyBatchResults keeps as due what a file of results answers, and has them stand for the
// model. What is left is asked again by another command.
func (s *singleCalls[D, Q]) applyBatchResults(c modelCaller[Q], to *batchReplies, file string) error {
	results, failed, err := s.readBatchResults(file)
	if err != nil {
		return fmt.Errorf("import batch %s: %w", file, err)
	}
	all, known := s.Due, make(map[string]bool)
	s.Due = nil
	for _, d := range all {
		id, words, _, err := s.makeNamedCall(to.model, c, d)
		if isSampleFailure(err) {
			continue
		}
		if err != nil {
			return err
		}
		if r, ok := results[id]; ok {
			to.said[words] = append(to.said[words], r)
			s.Due, known[id] = append(s.Due, d), true
		}
	}
	_, _ = fmt.Fprintf(s.Factory.Err, "concord: %s taken, %d failed, %d of no call that is due\n", cli.FormatCount(len(known), "result"), failed, len(results)-len(known))
	return nil
}

// readBatchResults reads a batch's results by the names of their calls. A failure that may
// pass is none: its call stays due. A line that is no result is named, and the rest goes on.
func (s *singleCalls[D, Q]) readBatchResults(file string) (out map[string]batchResult, failed int, err error) {
	f, err := bound.OpenRegular(file)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = f.Close() }()
	out = make(map[string]batchResult)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, bound.Cell)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		id, reply, err := openai.ReadBatchLine(lines.Bytes())
		var failure *eval.Failure
		switch {
		case err == nil || isSampleFailure(err):
			out[id] = batchResult{reply, err}
		case errors.As(err, &failure):
			failed++
		default:
			_, _ = fmt.Fprintf(s.Factory.Err, "concord: %s line %d: %s\n", cli.EscapeControls(file), n, cli.EscapeControls(err.Error()))
		}
	}
	return out, failed, lines.Err()
}

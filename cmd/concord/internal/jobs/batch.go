package jobs

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/judge"
	"concord/eval/openai"
)

// CallID names a call in a batch file, so that its result finds its place. It
// holds a mark of the run, so that a file of another project is refused.
type CallID struct {
	Mark  string
	Key   eval.Key
	Setup string // beginning of the hash of a judge's setup; "" for a call of the model
}

// SetupMark is how much of a judge's hash stands in the name of a call.
const SetupMark = 12 // hexadecimal digits of a setup's hash in a call's id

// HashRunIdentity tells a run apart from those of other projects.
func HashRunIdentity(run eval.Run) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s\x00%s", run.ID, run.Created.UnixMilli(), run.Config.Dataset, run.Config.Model))
	return hex.EncodeToString(sum[:4])
}

// String writes the id: at most 64 characters, as vendors want it.
func (c CallID) String() string {
	return fmt.Sprintf("concord-%s-%d-%d-%d", c.Mark, c.Key.Run, c.Key.Sample, c.Key.Pass) + eval.Either(c.Setup != "", "-"+c.Setup, "")
}

// ParseCallID reads what String writes.
func ParseCallID(s string) (CallID, error) {
	bad := fmt.Errorf("custom_id %.40q is none of concord's", s)
	parts := strings.Split(s, "-")
	if len(parts) < 5 || len(parts) > 6 || parts[0] != "concord" {
		return CallID{}, bad
	}
	run, errRun := strconv.ParseUint(parts[2], 10, 64)
	sample, errSample := strconv.ParseUint(parts[3], 10, 32)
	pass, errPass := strconv.ParseUint(parts[4], 10, 8)
	if errors.Join(errRun, errSample, errPass) != nil {
		return CallID{}, bad
	}
	c := CallID{Mark: parts[1], Key: eval.Key{Run: eval.RunID(run), Sample: eval.Ordinal(sample), Pass: eval.Pass(pass)}}
	if len(parts) == 6 {
		if c.Setup = parts[5]; len(c.Setup) != SetupMark {
			return CallID{}, bad
		}
	}
	return c, nil
}

// WriteModelCalls writes the calls of the model that a run waits for: of each question the passes that can
// be asked now, but for those that wait for a judge. It returns how many questions cannot be asked at all.
func (l *Factory) WriteModelCalls(ctx context.Context, run eval.Run, w *BatchWriter) (unasked int, err error) {
	asker, err := l.newModelAsker(run)
	if err != nil {
		return 0, err
	}
	reader, err := facts.FindRulesOfRun(run)
	if err != nil {
		return 0, err
	}
	m := asker.Chatter.(*openai.Model)
	for q, err := range l.Store.Runs().Questions(ctx, run) {
		if err != nil {
			return unasked, err
		}
		if awaitsJudge(run, &q, reader) {
			w.Held++
			continue
		}
		for _, pass := range eval.DuePasses(run.Config, &q, reader) {
			r := eval.Request{Run: run, Sample: q.Sample, Pass: pass, Shown: q.Sample.ShowInPass(pass), Pictures: l.Store.Datasets().Picture}
			chat, err := asker.BuildChat(r)
			if err == nil {
				err = w.writeCallLine(m, CallID{Mark: HashRunIdentity(run), Key: r.Key()}.String(), chat)
			}
			if isSampleFailure(err) {
				unasked++
				break
			}
			if err != nil {
				return unasked, err
			}
		}
	}
	return unasked, nil
}

// awaitsJudge reports whether the run's judge has still to read an answer that
// decides about the next pass: a run that is asked call by call waits for it.
func awaitsJudge(run eval.Run, q *eval.Question, reader eval.Reader) bool {
	decider := run.Config.DecidingJudge()
	if decider == "" || run.Config.Strategy != eval.Circular || run.Config.AllPasses {
		return false
	}
	for i := range q.Predictions {
		p := &q.Predictions[i]
		asked := slices.ContainsFunc(q.Judgments, func(j eval.Judgment) bool { return j.Key == p.Key && j.Judge == decider })
		if p.Failure == nil && !asked && eval.ReadPrediction(reader, &q.Sample, p).IsUnparsable() {
			return true
		}
	}
	return false
}

// WriteJudgeCalls writes the calls of a run's judges, or of those that are named,
// about the predictions that they have not read yet.
func (l *Factory) WriteJudgeCalls(ctx context.Context, run eval.Run, o *Order, w *BatchWriter) (unasked int, err error) {
	setups := run.Config.Settings.Judges
	if len(o.Judges) > 0 {
		if setups, err = l.StoreJudgeSetups(ctx, run.Config.Dataset, o.Judges, o.Language); err != nil {
			return 0, err
		}
	}
	if setups = replaceOwnSetup(run, setups); len(setups) != 1 {
		return 0, cli.NewUsageError(fmt.Errorf("run %d has %s: name the one to write calls for with --judge", run.ID, cli.FormatCount(len(setups), "judge")))
	}
	reader, err := facts.FindRulesOfRun(run)
	if err != nil {
		return 0, err
	}
	j, err := l.newJudge(ctx, run, setups[0], false)
	if err != nil {
		return 0, err
	}
	m, err := l.Models.newJudgeChatter(setups[0])
	if err != nil {
		return 0, err
	}
	w.Judge = setups[0].Judge
	hash, _ := judge.HashSetup(setups[0])
	for q, err := range l.Store.Runs().Questions(ctx, run) {
		if err != nil {
			return unasked, err
		}
		for i := range q.Predictions {
			p := &q.Predictions[i]
			judged := func(j eval.Judgment) bool { return j.Key == p.Key && j.Judge == setups[0].Judge && j.IsFinal() }
			if p.Failure != nil || !eval.ReadPrediction(reader, &q.Sample, p).IsUnparsable() || slices.ContainsFunc(q.Judgments, judged) {
				continue
			}
			chat, err := j.BuildChat(eval.JudgeQuestion{Run: run, Sample: q.Sample, Shown: p.ShownQuestion(&q.Sample), Prediction: *p})
			if err == nil {
				err = w.writeCallLine(m, CallID{Mark: HashRunIdentity(run), Key: p.Key, Setup: hash[:SetupMark]}.String(), chat)
			}
			if isSampleFailure(err) {
				unasked++
				continue
			}
			if err != nil {
				return unasked, err
			}
		}
	}
	return unasked, nil
}

// BatchWriter writes lines to a file, and to further ones once it is full.
type BatchWriter struct {
	Project *project.Project
	Flags   *BatchFlags
	out     *cli.OutFile
	buf     *bufio.Writer
	calls   int
	size    int64

	Files []string
	Total int
	Held  int // questions whose next pass the judge decides about

	Endpoint *openai.Endpoint // that the calls are for; nil without calls
	Judge    string           // whose calls they are; "": the run's model
}

func (w *BatchWriter) writeLine(line []byte) error {
	if w.out == nil || w.calls == w.Flags.Most || w.size+int64(len(line))+1 > w.Flags.Bytes && w.calls > 0 {
		if err := w.rotateFile(); err != nil {
			return err
		}
	}
	w.calls++
	w.Total++
	w.size += int64(len(line)) + 1
	if _, err := w.buf.Write(line); err != nil {
		return err
	}
	return w.buf.WriteByte('\n')
}

func (w *BatchWriter) writeCallLine(m *openai.Model, id string, chat eval.Chat) error {
	w.Endpoint = m.Endpoint()
	line, err := m.FormatBatchLine(id, chat)
	if err != nil {
		return err
	}
	return w.writeLine(line)
}

// rotateFile finishes the file and begins the next.
func (w *BatchWriter) rotateFile() error {
	if err := w.CloseLastFile(nil); err != nil {
		return err
	}
	name := w.Flags.File
	if n := len(w.Files); n > 0 {
		stem, ext := cutExtension(name)
		name = fmt.Sprintf("%s-%d%s", stem, n+1, ext)
	}
	out, err := cli.CreateOutFile(name, w.Project.Path)
	if err != nil {
		return err
	}
	w.out, w.buf, w.calls, w.size = out, bufio.NewWriter(out), 0, 0
	w.Files = append(w.Files, name)
	return nil
}

// CloseLastFile ends the last file.
func (w *BatchWriter) CloseLastFile(err error) error {
	if w.out == nil {
		return err
	}
	out := w.out
	w.out = nil
	return out.CommitOrRemove(errors.Join(err, w.buf.Flush()))
}

// cutExtension cuts a file's name before its extension.
func cutExtension(s string) (stem, ext string) {
	i := strings.LastIndex(s, ".")
	if i <= strings.LastIndexAny(s, `/\`)+1 {
		return s, ""
	}
	return s[:i], s[i:]
}

// BatchFlags are the flags of batch export.
type BatchFlags struct {
	OrderFlags
	Run     uint
	Judging bool
	File    string
	Most    int
	Bytes   int64
}

func isSampleFailure(err error) bool {
	var f *eval.Failure
	return errors.As(err, &f) && f.Kind == eval.FailureSample
}

package jobs

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/bound"
	"concord/eval/openai"
)

// Sizes of a batch file that vendors take.
const (
	BatchCalls = 50000
	BatchBytes = 190 << 20
)

// namedCall is a due call. Its name is a hash of what it is about and of how it is
// asked, so that a result of an earlier wording or setup finds no call.
type namedCall[D any] struct {
	of   D
	name string // "": it cannot be asked
	body string // hash of how it is asked
	chat eval.Chat
}

func hashBody(m *openai.Model, c eval.Chat) (string, error) {
	line, err := m.BatchLine("-", c)
	sum := sha256.Sum256(line)
	return string(sum[:]), err
}

// nameCalls yields what is due as calls to the model.
func (s *singleCalls[D, Q]) nameCalls(m *openai.Model) iter.Seq2[namedCall[D], error] {
	return func(yield func(namedCall[D], error) bool) {
		c, err := s.prepare(context.Background(), nil)
		if err != nil {
			yield(namedCall[D]{}, err)
			return
		}
		for _, d := range s.Due {
			one := namedCall[D]{of: d}
			q, err := s.question(d)
			if err == nil {
				_, one.chat, err = c.chat(q)
			}
			if err == nil {
				one.body, err = hashBody(m, one.chat)
				sum := sha256.Sum256(fmt.Appendf(nil, "%s%v", one.body, d))
				one.name = "concord-" + hex.EncodeToString(sum[:24])
			}
			if isSampleFailure(err) {
				one.name, err = "", nil
			}
			if !yield(one, err) || err != nil {
				return
			}
		}
	}
}

// writeCalls writes what is due to a batch file and asks nothing.
func (s *singleCalls[D, Q]) writeCalls(path string) error {
	l := s.Factory
	m, err := l.Models.newChatter(s.setup.Judge, s.setup.Endpoint, s.setup.Name, s.setup.Params, s.setup.Edge)
	if err != nil {
		return fmt.Errorf("%s %s: %w", s.role, s.asked(), err)
	}
	w := &BatchWriter{Project: l.Project, Flags: &BatchFlags{File: path, Most: BatchCalls, Bytes: BatchBytes}}
	skipped := 0
	for c, failed := range s.nameCalls(m) {
		var line []byte
		if err = failed; err == nil && c.name == "" {
			skipped++
			continue
		}
		if err == nil {
			line, err = m.BatchLine(c.name, c.chat)
		}
		if err == nil {
			err = w.writeLine(line)
		}
		if err != nil {
			break
		}
	}
	if err := w.Finish(err); err != nil {
		return fmt.Errorf("write calls for %s: %w", s.Title(), err)
	}
	return l.Print(map[string]any{"calls": w.Total, "files": append([]string{}, w.Files...), "skipped": skipped},
		"%s in %s; %s cannot be asked. Take the results with: --read-replies FILE\n",
		cli.FormatCount(w.Total, "call"), cli.EscapeControls(strings.Join(w.Files, ", ")), cli.FormatCount(skipped, "call"))
}

// batchResult is what a line of results says of a call.
type batchResult struct {
	reply   eval.Reply
	failure error
}

// replayer answers calls from files, one after the other.
type replayer struct {
	*openai.Model
	results map[string][]batchResult // by the hash of how a call is asked
}

// Chat is the next result of the call.
func (r *replayer) Chat(_ context.Context, c eval.Chat) (eval.Reply, error) {
	body, err := hashBody(r.Model, c)
	if err != nil {
		return eval.Reply{}, err
	}
	next := r.results[body]
	if len(next) == 0 {
		return eval.Reply{}, &eval.Failure{Kind: eval.FailureTransient, Message: "the files hold no result of this call"}
	}
	r.results[body] = next[1:]
	return next[0].reply, next[0].failure
}

// replayFrom leaves due what the files have results for, and answers it from them.
func (s *singleCalls[D, Q]) replayFrom(m *openai.Model, paths []string) (*replayer, error) {
	read := make(map[string]batchResult)
	for _, path := range paths {
		if err := s.readResults(path, read); err != nil {
			return nil, fmt.Errorf("read replies %s: %w", path, err)
		}
	}
	r := &replayer{m, make(map[string][]batchResult)}
	var due []D
	for c, err := range s.nameCalls(m) {
		if err != nil {
			return nil, err
		}
		if one, ok := read[c.name]; ok {
			due = append(due, c.of)
			r.results[c.body] = append(r.results[c.body], one)
		}
	}
	if n := len(read) - len(due); n > 0 {
		_, _ = fmt.Fprintf(s.Factory.Err, "concord: %s of no call that is due: stored already, or asked otherwise today\n", cli.FormatCountOf(n, "result is", "results are"))
	}
	s.Due = due
	return r, nil
}

// readResults reads a file of results. A call whose failure may pass is left due.
func (s *singleCalls[D, Q]) readResults(path string, out map[string]batchResult) error {
	f, err := bound.OpenFile(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, bound.Cell)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		name, reply, err := openai.ReadBatchLine(lines.Bytes())
		var failure *eval.Failure
		if err != nil && (!errors.As(err, &failure) || failure.Kind != eval.FailureSample) {
			_, _ = fmt.Fprintf(s.Factory.Err, "concord: %s:%d: %s\n", cli.EscapeControls(path), n, cli.EscapeControls(err.Error()))
			continue
		}
		out[name] = batchResult{reply, err}
	}
	return lines.Err()
}

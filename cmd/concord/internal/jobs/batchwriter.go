package jobs

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/openai"
)

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
}

// writeLine writes one line.
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

// writeCall writes one call as a line.
func (w *BatchWriter) writeCall(m *openai.Model, id string, chat eval.Chat) error {
	line, err := m.BatchLine(id, chat)
	if err != nil {
		return err
	}
	return w.writeLine(line)
}

// rotateFile finishes the file and begins the next.
func (w *BatchWriter) rotateFile() error {
	if err := w.Finish(nil); err != nil {
		return err
	}
	name := w.Flags.File
	if n := len(w.Files); n > 0 {
		stem, ext := cutExt(name)
		name = fmt.Sprintf("%s-%d%s", stem, n+1, ext)
	}
	out, err := cli.CreateOut(name, w.Project.Path)
	if err != nil {
		return err
	}
	w.out, w.buf, w.calls, w.size = out, bufio.NewWriter(out), 0, 0
	w.Files = append(w.Files, name)
	return nil
}

// Finish ends the last file.
func (w *BatchWriter) Finish(err error) error {
	if w.out == nil {
		return err
	}
	out := w.out
	w.out = nil
	return out.Finish(errors.Join(err, w.buf.Flush()))
}

// cutExt cuts a file's name before its extension.
func cutExt(s string) (stem, ext string) {
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

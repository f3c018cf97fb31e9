package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"concord/eval"
	"concord/eval/text"
)

// A file of calls or results may be under way for transferTime, and have mostResults bytes.
const (
	transferTime = time.Hour
	mostResults  = 8 << 30
)

// Batch is what a vendor says of a batch of calls.
type Batch struct {
	ID, Status               string
	Total, Completed, Failed int
	Files                    []string // of results and of errors, once there are any
	Why                      string   // what the vendor says of a batch that it refuses
}

// HasEnded reports whether nothing more will come of it.
func (b *Batch) HasEnded() bool {
	return slices.Contains([]string{"completed", "failed", "expired", "cancelled"}, b.Status)
}

// runBatchCall makes a call about files or batches, which costs no tokens and is held back by no limit.
func (e *Endpoint) runBatchCall(ctx context.Context, timeout time.Duration, t *callExchange, do func(context.Context) error) error {
	a := callContext{endpoint: e, timeout: timeout}
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	defer t.releaseReplyMemory()
	err := do(t.putIntoContext(within))
	var odd *garbage
	var refused *refusal // with status 200: what else the reply would say is not so, such as that no batch is open
	if t.whole && t.reply != nil && errors.As(explainNoAnswer(t.reply.Bytes()), &refused) {
		err = refused
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case refused == nil && t.whole && !errors.As(err, &odd):
		return a.newFailure(eval.FailureTransient, "the reply about a batch is malformed: %v", err)
	}
	f := a.failureOfError(err)
	if f.Status == 404 || f.Status == 405 {
		f.Message = a.newFailure(f.Kind, "HTTP status %d: it does not know this batch or file, or offers no batches at %s", f.Status, e.url).Message
	}
	return f
}

// UploadCalls uploads a file of lines as FormatBatchLine makes them, and gives the vendor's name of it.
func (e *Endpoint) UploadCalls(ctx context.Context, path string) (file string, err error) {
	err = e.runBatchCall(ctx, transferTime, &callExchange{}, func(ctx context.Context) error {
		f, err := e.client.CreateFile(ctx, goopenai.FileRequest{FilePath: path, Purpose: string(goopenai.PurposeBatch)})
		file = f.ID
		return eval.Either(err == nil, e.refuseUnsafeName(file), err)
	})
	return file, err
}

// FindOrStartBatch has an uploaded file of calls made, of which it is not known whether that
// was begun: a batch of the file that is there is found, so that nothing is asked twice.
func (e *Endpoint) FindOrStartBatch(ctx context.Context, file string) (b Batch, err error) {
	var after *string
	for most := 100; ; {
		var page goopenai.ListBatchResponse
		err := e.runBatchCall(ctx, e.timeout, &callExchange{}, func(ctx context.Context) (err error) {
			page, err = e.client.ListBatch(ctx, after, &most)
			return err
		})
		if err != nil {
			return b, err
		}
		for i := range page.Data {
			if page.Data[i].InputFileID == file {
				return e.readBatch(&page.Data[i])
			}
		}
		if !page.HasMore || len(page.Data) == 0 {
			return e.StartBatch(ctx, file)
		}
		after = &page.Data[len(page.Data)-1].ID
	}
}

// StartBatch has an uploaded file of calls made.
func (e *Endpoint) StartBatch(ctx context.Context, file string) (b Batch, err error) {
	err = e.runBatchCall(ctx, e.timeout, &callExchange{}, func(ctx context.Context) error {
		r, err := e.client.CreateBatch(ctx, goopenai.CreateBatchRequest{InputFileID: file, Endpoint: goopenai.BatchEndpoint(e.batchCallPath()), CompletionWindow: "24h"})
		if err == nil {
			b, err = e.readBatch(&r.Batch)
		}
		return err
	})
	return b, err
}

// FindBatch gives what the vendor says of a batch now.
func (e *Endpoint) FindBatch(ctx context.Context, id string) (b Batch, err error) {
	err = e.runBatchCall(ctx, e.timeout, &callExchange{}, func(ctx context.Context) error {
		r, err := e.client.RetrieveBatch(ctx, id)
		if err == nil {
			b, err = e.readBatch(&r.Batch)
		}
		return err
	})
	return b, err
}

// FetchResults writes a file of results as the vendor has it.
func (e *Endpoint) FetchResults(ctx context.Context, file string, to io.Writer) error {
	t := &callExchange{file: true}
	return e.runBatchCall(ctx, transferTime, t, func(ctx context.Context) error {
		r, err := e.client.GetFileContent(ctx, file)
		if err != nil {
			return err
		}
		defer func() { _ = r.Close() }()
		n, err := io.Copy(to, io.LimitReader(r, mostResults+1))
		return eval.Either(n > mostResults, newTooLongError(mostResults), err)
	})
}

// RedactLine takes the endpoint's secrets out of a line of results, should a vendor echo them.
func (e *Endpoint) RedactLine(line []byte) []byte { return []byte(e.secrets.stripKeys(string(line))) }

func (e *Endpoint) readBatch(from *goopenai.Batch) (Batch, error) {
	n := from.RequestCounts
	b := Batch{ID: from.ID, Status: text.Outside(e.secrets.stripKeys(from.Status)).Shorten(40), Total: n.Total, Completed: n.Completed, Failed: n.Failed}
	err := e.refuseUnsafeName(b.ID)
	for _, file := range []*string{from.OutputFileID, from.ErrorFileID} {
		if file != nil && *file != "" && err == nil {
			b.Files, err = append(b.Files, *file), e.refuseUnsafeName(*file)
		}
	}
	if from.Errors != nil && len(from.Errors.Data) > 0 {
		first := from.Errors.Data[0]
		b.Why = e.secrets.cleanText(first.Message + eval.Either(first.Code != "", " ["+first.Code+"]", ""))
	}
	return b, err
}

// refuseUnsafeName refuses a name that is none, since names become parts of addresses.
func (e *Endpoint) refuseUnsafeName(id string) error {
	plain := func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("-_:=", r)
	}
	if id == "" || len(id) > 200 || strings.ContainsFunc(id, func(r rune) bool { return !plain(r) }) || e.secrets.stripKeys(id) != id {
		return &garbage{fmt.Sprintf("malformed reply: %q is no name of a batch or a file", text.Outside(e.secrets.stripKeys(id)).Shorten(40))}
	}
	return nil
}

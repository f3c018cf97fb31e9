package openai

import (
	"container/list"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"runtime"
	"sync"

	"concord/eval"
)

// room for data URLs: what 64 questions under way need, with pictures of a
// megabyte each.
const urlCacheBytes = 64 << 20

// urlCache turns pictures into quoted data URLs, and keeps the latest:
// CircularEval shows a picture once for each option.
type urlCache struct {
	mu    sync.Mutex
	pages map[page]*list.Element // of *sheet
	used  list.List              // front: lately
	bytes int
	most  int
	hands chan struct{} // a decoded picture takes a hundred megabytes: few at once
}

type page struct {
	hash [sha256.Size]byte
	edge int
}

type sheet struct {
	page page
	url  []byte
}

func newURLCache(most int) *urlCache {
	return &urlCache{
		pages: make(map[page]*list.Element),
		most:  most,
		hands: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
}

// url is picture number n of a chat as a quoted data URL. A picture that
// cannot be read is the sample's failure.
func (a *urlCache) url(n int, file []byte, edge int) ([]byte, error) {
	p := page{sha256.Sum256(file), max(edge, 0)}
	if url := a.get(p); url != nil {
		return url, nil
	}
	out, format, err := a.fit(file, edge)
	if err != nil {
		return nil, &eval.Failure{
			Kind:    eval.FailureSample,
			Unasked: true,
			Message: fmt.Sprintf("read image %d (sha256 %x, %d bytes): %v", n+1, p.hash[:6], len(file), err),
		}
	}
	head := `"data:image/` + format + `;base64,`
	url := make([]byte, 0, len(head)+base64.StdEncoding.EncodedLen(len(out))+1)
	url = append(base64.StdEncoding.AppendEncode(append(url, head...), out), '"')
	a.put(p, url)
	return url, nil
}

// fit calls fit with a pair of hands. A decoder that panics on a stranger's
// file has not read it.
func (a *urlCache) fit(file []byte, edge int) (out []byte, format string, err error) {
	a.hands <- struct{}{}
	defer func() {
		<-a.hands
		if v := recover(); v != nil {
			err = fmt.Errorf("decoder panicked: %v", v)
		}
	}()
	return fit(file, edge)
}

func (a *urlCache) get(p page) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	e, ok := a.pages[p]
	if !ok {
		return nil
	}
	a.used.MoveToFront(e)
	return e.Value.(*sheet).url
}

func (a *urlCache) put(p page, url []byte) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.pages[p]; ok || len(url) > a.most {
		return
	}
	a.pages[p] = a.used.PushFront(&sheet{p, url})
	for a.bytes += len(url); a.bytes > a.most; {
		old := a.used.Remove(a.used.Back()).(*sheet)
		delete(a.pages, old.page)
		a.bytes -= len(old.url)
	}
}

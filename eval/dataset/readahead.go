package dataset

import (
	"context"
	"iter"
	"sync"

	"concord/eval/dataset/profile"
)

// Rows are cut and read while the ones before them are taken:
//
//	source -> row -> record --batch--> driver -> Sink
//	       (one goroutine)           (the caller's)
//
// A batch is bounded in bytes and few are under way, so that memory is. A row
// that is no batch's size goes alone, and the next is cut when it is taken.
const (
	aheadBytes   = 256 << 10 // of cells in a batch
	aheadRows    = 512
	aheadBatches = 4
)

// rowResult is a row with its record, or why there is none.
type rowResult struct {
	row    profile.Row
	rec    record
	broken error // of the source: a *Problem, or what ended the rows
	err    error // of the row
}

// rowBatch is what goes over at once. Its rows point into it.
type rowBatch struct {
	rows  []rowResult
	cells [][]byte
	bytes []byte
	alone chan struct{} // of a row that points into the source: closed when it is taken
	panic any           // what ended the reading
}

func (b *rowBatch) isFull() bool { return len(b.rows) >= aheadRows || len(b.bytes) >= aheadBytes }

// copyLastRow keeps the last row's cells, which are valid no longer than they are the
// source's.
func (b *rowBatch) copyLastRow() {
	from, row := len(b.cells), &b.rows[len(b.rows)-1].row
	for _, c := range row.Cells {
		if c != nil {
			at := len(b.bytes)
			b.bytes = append(b.bytes, c...)
			c = b.bytes[at:len(b.bytes):len(b.bytes)]
		}
		b.cells = append(b.cells, c)
	}
	row.Cells = b.cells[from:len(b.cells):len(b.cells)]
}

// makeRecord makes a record of a row, if it serves.
func (im *importer) makeRecord(t *rowResult) {
	if t.err = t.rec.readRow(&t.row); t.err == nil {
		t.err = im.want(&t.rec)
	}
}

// readAhead reads the file from its start, in its own goroutine, which ends before
// ahead does.
func (im *importer) readAhead(ctx context.Context) iter.Seq[*rowResult] {
	return func(yield func(*rowResult) bool) {
		ctx, cancel := context.WithCancel(ctx)
		a := &aheadReader{ctx: ctx, im: im, out: make(chan *rowBatch, aheadBatches), free: make(chan *rowBatch, aheadBatches)}
		go a.readRows()
		var b *rowBatch
		defer func() {
			cancel()
			for ; b != nil; b = <-a.out { // until the goroutine has ended
				a.recycleBatch(b)
			}
		}()
		for b = <-a.out; b != nil; b = <-a.out {
			if b.panic != nil {
				panic(b.panic)
			}
			for i := range b.rows {
				if !yield(&b.rows[i]) {
					return
				}
			}
			a.recycleBatch(b)
		}
	}
}

// aheadReader is the goroutine that reads.
type aheadReader struct {
	ctx  context.Context
	im   *importer
	out  chan *rowBatch
	free chan *rowBatch // to be used again
	now  *rowBatch
}

func (a *aheadReader) readRows() {
	defer close(a.out)
	defer func() {
		if p := recover(); p != nil {
			a.out <- &rowBatch{panic: p}
		}
	}()
	a.now = &rowBatch{}
	waits := a.im.src.IsSequential()
	for r, err := range a.im.src.Rows(a.ctx) {
		alone := waits || r.ByteSize() > aheadBytes
		if alone {
			a.sendBatch()
		}
		a.now.rows = append(a.now.rows, rowResult{row: r, broken: err})
		if err == nil {
			a.im.makeRecord(&a.now.rows[len(a.now.rows)-1])
		}
		if alone {
			a.sendRow()
		} else if a.now.copyLastRow(); a.now.isFull() {
			a.sendBatch()
		}
	}
	a.sendBatch()
}

// sendBatch hands the batch over and begins another.
func (a *aheadReader) sendBatch() {
	if len(a.now.rows) == 0 {
		return
	}
	a.out <- a.now
	select {
	case a.now = <-a.free:
	default:
		a.now = &rowBatch{}
	}
}

// sendRow sends a row as it is, and waits until it is taken.
func (a *aheadReader) sendRow() {
	alone := make(chan struct{})
	a.now.alone = alone
	a.sendBatch()
	<-alone
}

// recycleBatch gives a batch back once its rows are taken.
func (a *aheadReader) recycleBatch(b *rowBatch) {
	clear(b.rows)
	if b.alone != nil {
		close(b.alone)
		b.alone = nil
	}
	b.rows, b.cells, b.bytes = b.rows[:0], b.cells[:0], b.bytes[:0]
	select {
	case a.free <- b:
	default:
	}
}

// orderCallbacks makes one of what an import tells: how far it has come is known where
// rows are cut, what is wrong with a row where it is taken.
func (o *Options) orderCallbacks(src *profile.Source) {
	var mu sync.Mutex
	if skipped := o.Skipped; skipped != nil {
		o.Skipped = func(p Problem) {
			mu.Lock()
			defer mu.Unlock()
			skipped(p)
		}
	}
	src.File.WrapProgress(func(watch func(read, total int64)) func(read, total int64) {
		return func(read, total int64) {
			mu.Lock()
			defer mu.Unlock()
			watch(read, total)
		}
	})
}

package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"concord/eval"
	"concord/eval/dataset/column"
	"concord/eval/dataset/profile"
)

// batchBytes is how much a transaction of an import holds; the store wants at most 16 MB, and less keeps memory low.
const batchBytes = 8 << 20

// Import reads a dataset into the sink, in two readings of the file: the first finds out what there is (samples,
// passes, references, the content's hash), the second takes it, so that no picture is held longer than its batch.
//
// Importing the same content again adds nothing. A dataset that was made from predictions gets
// what those lacked (see Fill); other content under a name that is taken gives ErrOtherContent.
// An import that was interrupted starts over when it is called again.
func Import(ctx context.Context, sink Sink, path string, o Options) (Summary, error) {
	src, err := profile.OpenSamples(path, o.Format, o.Columns, o.Progress)
	if err != nil {
		return Summary{}, err
	}
	return importFromSource(ctx, sink, src, o)
}

type importer struct {
	sink   Sink
	src    *profile.Source
	o      Options
	want   func(*record) error // nil for a record that serves
	sum    Summary
	seen   firstReading
	refs   map[string]bool // indexes of rows whose pictures samples refer to
	asks   int             // rows that hold what a dataset needs
	worded bool            // some row has a question, or no options
	coarse bool            // in some row, category stands beside a coarser one
	held   []string        // samples with pictures: the first of those in rows, and all of those in the folder

	head   *profile.Header // of the last row
	images imageFolder
	old    eval.Dataset   // what the sink has under the name, of other content
	models map[string]int // rows by the model that they name
}

func newImporter(sink Sink, src *profile.Source, o Options, want func(*record) error) *importer {
	o.Columns.Name = string(o.Name)
	src.Wish = &o.Columns
	return &importer{
		sink: sink, src: src, o: o, want: want, refs: map[string]bool{}, models: map[string]int{},
		sum: Summary{Dataset: o.Name, Format: src.Format, Problems: []Problem{}},
	}
}

// newNoIndexError gives what a table lacks whose columns are these.
func newNoIndexError(names []string) error {
	return fmt.Errorf("there is no column index, nor id: it has the columns %.300s", strings.Join(names, ", "))
}

var errNoQuestion = errors.New("the row has no question, or no options for its answer")

// takeStoredQuestion takes the question of a row that has a truth alone from the sample
// that the dataset has already: VQA's questions and annotations are two files.
func (im *importer) takeStoredQuestion(rec *record) error {
	if rec.asks {
		return nil
	}
	if rec.sample.Reference != "" && rec.sample.Question == "" {
		s, err := im.sink.SampleByID(im.o.Name, eval.SampleID(rec.index))
		if err == nil {
			rec.sample.Question, rec.sample.Pictures, rec.asks = s.Question, s.Pictures, true
			return nil
		}
		if !errors.Is(err, eval.ErrNotFound) {
			return err
		}
	}
	return errNoQuestion
}

// garbageCollectPercent is the garbage, in percent of what is live, at which it is collected while a file of so many
// chunks of rows is read: some 50 MB of it, then a fifth. What is live is mostly the table of rows.
func garbageCollectPercent(chunks int) int {
	const garbage, others = 48 << 20, 16 << 20
	return max(20, min(100*garbage/(others+chunks*chunkRows*70), 300))
}

// eachRecord reads the file and yields the rows that serve: the same ones in
// every reading. The first reading reports the others.
func (im *importer) eachRecord(ctx context.Context, first bool, each func(*profile.Row, *record) error) error {
	for t := range im.readInBackground(ctx) {
		r, rec := &t.row, &t.rec
		var p *Problem
		var err error
		switch {
		case errors.As(t.broken, &p):
		case t.broken != nil:
			return t.broken
		case ctx.Err() != nil: // rows that were read ahead are not taken any more
			return fmt.Errorf("read %s: %w", filepath.Base(im.src.File.Path), context.Cause(ctx))
		case r.Head.Clash != "":
			return newDuplicateColumnError(r.Head.Clash)
		case r.Head.Index < 0 && im.src.HasOneHeader():
			return newNoIndexError(r.Head.Names)
		case t.err != nil:
			p = im.src.File.NewProblem(r.Line, "%s", t.err)
		}
		if p == nil && first {
			err = im.warnDuplicateColumns(r)
		}
		if p == nil && err == nil {
			err = each(r, rec)
		} else if first {
			err = im.sum.reportProblem(p, &im.o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func newDuplicateColumnError(column string) error {
	return fmt.Errorf("there are two columns %.60q: rename or remove one of them", column)
}

// warnDuplicateColumns tells of columns that have the name of another, and are not read.
func (im *importer) warnDuplicateColumns(r *profile.Row) error {
	if im.head == r.Head {
		return nil
	}
	im.head = r.Head
	return eval.Each(r.Head.Twice, func(name string) error {
		return im.sum.reportProblem(im.src.File.NewWarning(0, "there are two columns %.60q: the first one is read", name), &im.o)
	})
}

// runFirstReading gives the first reading.
func (im *importer) runFirstReading(ctx context.Context) error {
	refs := map[string][]string{} // index -> those that it refers to
	inline := map[string]bool{}   // rows with a picture of their own
	named := map[string]bool{}    // rows with a picture in the folder
	err := im.eachRecord(ctx, true, func(r *profile.Row, rec *record) error {
		if rec.asks {
			im.asks++
		}
		im.worded = im.worded || rec.sample.Question != "" || len(rec.sample.Options) == 0
		im.coarse = im.coarse || len(r.Cell(r.Head.Coarse)) > 0 && len(r.Cell(r.Head.Category)) > 0
		im.seen.addRecord(rec)
		if rec.model != "" {
			im.models[rec.model]++
		}
		if slices.ContainsFunc(r.PicturePaths(), im.images.hasFile) {
			named[rec.index] = true
		}
		for _, image := range column.SplitImageCell(r.Cell(r.Head.Image)) {
			switch {
			case !profile.NamesAnotherRow(image):
				inline[rec.index] = true
			case profile.NamesAnotherRow(image) && len(image) > 0:
				refs[rec.index] = append(refs[rec.index], profile.ReferencedIndex(image))
			}
		}
		return eval.Each(rec.notes, func(n string) error { return im.sum.reportProblem(im.src.File.NewWarning(r.Line, "%s", n), &im.o) })
	})
	if err == nil {
		im.sum.Columns, im.sum.Unread, err = im.src.ListUsedColumns()
		if im.seen.rows == 0 {
			err = nil // there are no rows that something could be missing from
		}
	}
	if err != nil {
		return err
	}
	im.seen.assignPasses()
	for i := range im.seen.rows {
		e := im.seen.entryAt(i)
		if e.fault == sound {
			im.sum.Read++
		} else if err := im.sum.reportProblem(im.src.File.NewProblem(int(e.line), eval.Either(e.fault == repeated, "the row repeats index %s", "index %s means a pass beyond the 26 letters"), im.seen.textAt(e.index)), &im.o); err != nil {
			return err
		}
		if index := im.seen.textAt(e.index); e.first {
			im.markPictureRows(refs, index, 0)
			if len(im.held) == 0 && inline[index] || named[index] {
				im.held = append(im.held, im.seen.textAt(e.id))
			}
		}
	}
	im.sum.Questions, im.sum.Circular = im.seen.questions, im.seen.circular
	return nil
}

// markPictureRows marks the rows that hold the pictures of a sample's row.
func (im *importer) markPictureRows(refs map[string][]string, index string, depth int) {
	for _, to := range refs[index] {
		if !im.refs[to] && depth < maxReferences {
			im.refs[to] = true
			im.markPictureRows(refs, to, depth+1)
		}
	}
}

// rereadWithEntries is a later reading: every row with its entry.
func (im *importer) rereadWithEntries(ctx context.Context, do func(*profile.Row, *record, *rowEntry) error) error {
	i := 0
	err := im.eachRecord(ctx, false, func(r *profile.Row, rec *record) error {
		if i >= im.seen.rows {
			return errChanged
		}
		e := im.seen.entryAt(i)
		if e.digest != digestSample(&rec.sample) || string(im.seen.textBytesAt(e.index)) != rec.index {
			return errChanged
		}
		i++
		return do(r, rec, e)
	})
	return eval.Either(err == nil && i < im.seen.rows, errChanged, err)
}

var errChanged = errors.New("the file changed while it was read")

// importFromSource reads a dataset from an opened source.
func importFromSource(ctx context.Context, sink Sink, src *profile.Source, o Options) (Summary, error) {
	o.Name = cmp.Or(o.Name, defaultDatasetName(src.File.Path))
	defer debug.SetGCPercent(debug.SetGCPercent(garbageCollectPercent(0)))
	o.serializeCallbacks(src)
	im := newImporter(sink, src, o, nil)
	im.want = im.takeStoredQuestion
	src.File.Readings = 2
	images, err := openImageFolder(o.Pictures, src.File.Path)
	if err == nil {
		im.images = images
		err = im.runFirstReading(ctx)
	}
	if err == nil && im.sum.Questions > 0 && !im.worded {
		err = im.sum.reportProblem(src.File.NewWarning(0, "no row has a question, but options alone: if a column holds the questions, say --map question=COLUMN"), &im.o)
	}
	if err == nil {
		err = im.importSamples(ctx)
	}
	return im.sum, eval.WrapError(errors.Join(err, images.close()), "import %s", filepath.Base(src.File.Path))
}

// explainNoRows says that no row of the file serves, and why where a column is missing.
func (im *importer) explainNoRows(role string) error {
	err := fmt.Errorf("the file has no %s that can be read", role)
	if slices.ContainsFunc(im.sum.Columns, func(c column.Read) bool { return c.As == role }) {
		return err
	}
	names := slices.Concat(
		eval.Map(im.sum.Columns, func(c column.Read) string { return c.Name }),
		eval.Map(im.sum.Unread, func(c column.Unread) string { return c.Name }))
	return fmt.Errorf("%w: no column is the %s of a row (--map %s=COLUMN): it has the columns %.300s", err, role, role, strings.Join(names, ", "))
}

// importSamples is the second reading of a dataset, where one is needed.
func (im *importer) importSamples(ctx context.Context) error {
	d := eval.Dataset{
		Name: im.o.Name, Samples: im.seen.questions, Circular: im.seen.circular, Hash: im.seen.hashContent(),
		Synthetic: im.o.Synthetic, Origin: cmp.Or(im.o.Origin, filepath.Base(im.src.File.Path)), Coarse: im.coarse, Metric: im.src.StatedScoreMetric(),
	}
	if d.Samples == 0 {
		return im.explainNoRows("question")
	}
	state, err := im.compareWithStored(d)
	if err != nil {
		return err
	}
	w := newSampleWriter(ctx, im, nil)
	switch state {
	case other:
		return im.fillDataset(ctx, d, im.old)
	case absent:
		w.put = im.sink.PutSamples
		if err := im.sink.BeginDataset(ctx, d); err != nil {
			return fmt.Errorf("begin dataset %s: %w", d.Name, err)
		}
	case bare:
		illustrator, ok := im.sink.(PictureSink)
		if !ok {
			return fmt.Errorf("dataset %s has these samples, but without their images: import this file under another name (--name)", d.Name)
		}
		w.put = illustrator.PutPictures
	case complete:
		w.put = func(context.Context, eval.DatasetName, []Item) error { return nil } // only counted
	}
	if err := im.rereadWithEntries(ctx, w.addRow); err != nil {
		return err
	}
	if err := w.addUnresolvedSamples(); err != nil {
		return err
	}
	im.sum.Pictures = len(w.pictures)
	if state == complete {
		im.sum.Unchanged = d.Samples
		return nil
	}
	im.sum.Added = d.Samples
	if d.NoTruth, d.Complete = im.sum.NoTruth, true; state == bare {
		return nil
	}
	return eval.WrapError(im.sink.FinishDataset(ctx, d), "finish dataset %s", d.Name)
}

// datasetState is what the sink has of a dataset already.
type datasetState uint8

const (
	absent   datasetState = iota
	bare                  // its samples, without their pictures
	other                 // samples of other content, which may lack what these have
	complete              // all of it
)

// compareWithStored compares the dataset with what the sink has under its name.
func (im *importer) compareWithStored(d eval.Dataset) (datasetState, error) {
	old, err := im.sink.Dataset(d.Name)
	switch {
	case errors.Is(err, eval.ErrNotFound):
		return absent, nil
	case err != nil:
		return absent, fmt.Errorf("look up dataset %s: %w", d.Name, err)
	case !old.Complete:
		return absent, nil
	case old.Hash != d.Hash:
		im.old = old
		return other, nil
	}
	for _, id := range im.held {
		s, err := im.sink.SampleByID(d.Name, eval.SampleID(id))
		switch {
		case errors.Is(err, eval.ErrNotFound):
		case err != nil:
			return absent, fmt.Errorf("look up sample %s: %w", id, err)
		case len(s.Pictures) == 0 || s.Pictures[0].Hash == "":
			return bare, nil
		}
	}
	return complete, nil
}

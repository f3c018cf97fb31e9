package dataset

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"concord/eval"
)

// Filler is what a Sink may offer beside: a dataset that was made from a file of predictions gets what those did not
// hold once the benchmark's own file comes. Only what is absent is filled; nothing that is there changes.
type Filler interface {
	// FillSamples fills samples of a complete dataset, in one transaction, each as Fill says.
	FillSamples(ctx context.Context, name eval.DatasetName, batch []Item) error
	// FillDataset notes the hash, the origin, the count of samples without a
	// truth, and Coarse, of a dataset that was filled.
	FillDataset(ctx context.Context, d eval.Dataset) error
}

// FillMissingFields gives a sample what it lacks and a file's sample of the same question has: hint,
// answer, reference, taxonomy or its coarser levels, split, source, type and pictures. Texts
// are compared without white space around words, and stay as they are. Options stay too: those
// that a file lacks, as pandas empties an option "None", are no contradiction, and are told in
// kept. It gives ErrOtherContent with the first place where the two contradict each other.
func FillMissingFields(have, file *eval.Sample) (out eval.Sample, kept string, err error) {
	differ := func(what string, a, b any) (eval.Sample, string, error) {
		return *have, "", fmt.Errorf("%w: sample %s has the %s %.60q, and the file's %.60q", ErrOtherContent, have.ID, what, a, b)
	}
	out = *have
	switch {
	case have.Kind != file.Kind:
		return differ("kind", have.Kind, file.Kind)
	case !equalButForSpace(have.Question, file.Question):
		return differ("question", have.Question, file.Question)
	}
	if !sameOptions(have.Options, file.Options) {
		if !areOptionsWithin(have.Options, file.Options) && !areOptionsWithin(file.Options, have.Options) {
			return differ("options", joinOptionTexts(have.Options), joinOptionTexts(file.Options))
		}
		kept = fmt.Sprintf("sample %s keeps its options: %s", have.ID, describeOptionDifference(file.Options, have.Options))
	}
	if what, to, from := fillSampleTexts(&out, file); what != "" {
		return differ(what, to, from)
	}
	if out.Kind == eval.KindChoice && out.Answer != "" && !slices.ContainsFunc(out.Options, func(o eval.Option) bool { return o.Letter == out.Answer }) {
		if !areOptionsWithin(have.Options, file.Options) {
			return differ("answer", joinOptionTexts(have.Options), file.Answer)
		}
		// The truth is the option that was emptied: without it no answer could ever be read as right.
		out.Options, kept = file.Options, ""
	}
	fillOtherFields(&out, file)
	switch {
	case out.Type == eval.TypeUnset:
		out.Type = file.Type
	case file.Type != eval.TypeUnset && out.Type != file.Type:
		return differ("type", out.Type, file.Type)
	}
	switch {
	case isSubsequence(have.Taxonomy, file.Taxonomy):
		out.Taxonomy = file.Taxonomy
	case !isSubsequence(file.Taxonomy, have.Taxonomy):
		return differ("category", eval.JoinPath(have.Taxonomy), eval.JoinPath(file.Taxonomy))
	}
	out.Pictures = takePicturesIfNone(have.Pictures, file.Pictures)
	return out, kept, nil
}

// fillSampleTexts gives a sample the texts that it lacks, and names the first that contradict each other.
func fillSampleTexts(out, file *eval.Sample) (what, have, says string) {
	for _, f := range []struct {
		what string
		to   *string
		from string
	}{
		{"hint", &out.Hint, file.Hint},
		{"answer", (*string)(&out.Answer), string(file.Answer)},
		{"reference", &out.Reference, file.Reference},
		{"split", &out.Split, file.Split},
	} {
		if *f.to == "" {
			*f.to = f.from
		} else if f.from != "" && !equalButForSpace(*f.to, f.from) {
			return f.what, *f.to, f.from
		}
	}
	return "", "", ""
}

// fillOtherFields gives a sample what else it lacks, and nothing contradicts.
func fillOtherFields(out, file *eval.Sample) {
	out.Source, out.Metric = cmp.Or(out.Source, file.Source), cmp.Or(out.Metric, file.Metric)
	out.Columns = eval.Either(len(out.Columns) > 0, out.Columns, file.Columns)
	out.References = eval.Either(len(out.References) > 0, out.References, file.References)
	out.Groups = eval.Either(len(out.Groups) > 0, out.Groups, file.Groups)
	out.Also = eval.Either(len(out.Also) > 0, out.Also, file.Also)
}

// areOptionsWithin reports that options are some of others, or all.
func areOptionsWithin(some, all []eval.Option) bool {
	return len(some) > 0 && !slices.ContainsFunc(some, func(o eval.Option) bool {
		return !slices.ContainsFunc(all, func(p eval.Option) bool { return o.Letter == p.Letter && equalButForSpace(o.Text, p.Text) })
	})
}

func joinOptionTexts(options []eval.Option) string {
	return strings.Join(eval.Map(options, func(o eval.Option) string { return string(o.Letter) + ". " + o.Text + " " }), "")
}

// isSubsequence reports that levels stand among others in the same order.
func isSubsequence(some, all []string) bool {
	for _, level := range all {
		if len(some) > 0 && some[0] == level {
			some = some[1:]
		}
	}
	return len(some) == 0
}

// takePicturesIfNone gives the file's pictures where none is held, under the names
// that they had: MME's questions are pairs by the name of their picture.
func takePicturesIfNone(have, file []eval.Picture) []eval.Picture {
	held := func(p eval.Picture) bool { return p.Hash != "" }
	if slices.ContainsFunc(have, held) || !slices.ContainsFunc(file, held) && len(have) > 0 {
		return have
	}
	out := slices.Clone(file)
	for i := range out {
		if i < len(have) && have[i].Name != "" {
			out[i].Name = have[i].Name
		}
	}
	return out
}

func sameSample(a, b *eval.Sample) bool {
	return digestSample(a) == digestSample(b) && a.Source == b.Source && a.Metric == b.Metric && slices.Equal(a.Columns, b.Columns) && slices.Equal(a.Groups, b.Groups) &&
		slices.EqualFunc(a.Also, b.Also, slices.Equal) && slices.Equal(a.Pictures, b.Pictures)
}

// filling compares a file with a dataset of its name and other content, before anything of it is written.
type filling struct {
	im     *importer
	old    eval.Dataset
	twins  map[mmeKey]eval.Ordinal
	seen   map[eval.Ordinal]bool
	filled int
	wrong  error // the first contradiction
	same   bool  // what comes of it is what the file says
	truths int
}

// fillDataset fills the dataset from the file, or says where they contradict each other.
func (im *importer) fillDataset(ctx context.Context, d, old eval.Dataset) error {
	filler, ok := im.sink.(Filler)
	if !ok {
		return im.newOtherContentError(old, ErrOtherContent)
	}
	im.src.File.Readings = 3
	f := &filling{im: im, old: old, seen: make(map[eval.Ordinal]bool), same: true}
	w := newSampleWriter(ctx, im, f.makeBatchComparer)
	problems := im.sum
	err := im.rereadWithEntries(ctx, w.addRow)
	if err == nil {
		err = w.addUnresolvedSamples()
	}
	switch {
	case f.wrong != nil:
		err = f.wrong
	case err != nil:
		return err
	case len(f.seen) < old.Samples-old.Added:
		err = fmt.Errorf("%w: the file has %d of its samples", ErrOtherContent, len(f.seen))
	}
	if err != nil {
		return im.newOtherContentError(old, err)
	}
	im.sum.Pictures, im.sum.Unchanged = len(w.pictures), len(f.seen)-f.filled
	if im.sum.Filled = f.filled; f.filled == 0 && (!f.same || old.Hash == d.Hash) {
		return nil // else an earlier filling ended before it was noted
	}
	kept := im.sum
	im.sum, im.o.Skipped = problems, nil // the next reading meets the same problems
	w = newSampleWriter(ctx, im, func(ctx context.Context, name eval.DatasetName, batch []Item) error {
		for i := range batch {
			if _, err := f.findStoredSample(&batch[i].Sample); err != nil {
				return err
			}
		}
		return filler.FillSamples(ctx, name, batch)
	})
	if err = im.rereadWithEntries(ctx, w.addRow); err == nil {
		err = w.addUnresolvedSamples()
	}
	if im.sum = kept; err != nil {
		return err
	}
	if old.NoTruth, err = f.countWithoutTruth(); err != nil {
		return err
	}
	old.Coarse, old.Metric = old.Coarse || d.Coarse, cmp.Or(old.Metric, d.Metric)
	if f.same {
		old.Hash, old.Origin = d.Hash, d.Origin
	}
	return filler.FillDataset(ctx, old)
}

// countWithoutTruth is how many samples have no truth, those that were added since
// included: of these the file says nothing.
func (f *filling) countWithoutTruth() (int, error) {
	n := len(f.seen) - f.truths
	err := eachSample(f.im.sink, f.old.Name, func(s *eval.Sample, _ mmeKey) {
		if !f.seen[s.Ordinal] && !s.HasTruth() {
			n++
		}
	})
	return n, err
}

func (im *importer) newOtherContentError(old eval.Dataset, err error) error {
	return fmt.Errorf("dataset %s (%d samples of %s): %w: import this file under another name (--name), and predictions for it with --dataset and that name",
		old.Name, old.Samples, old.Origin, err)
}

// findStoredSample gives the sample that the dataset has of the file's one, which gets its
// id; MME's files number the same questions differently.
func (f *filling) findStoredSample(s *eval.Sample) (eval.Sample, error) {
	have, err := f.im.sink.SampleByID(f.old.Name, s.ID)
	want := newMMEKey(s, pictureNames(s.Pictures))
	if err != nil && !errors.Is(err, eval.ErrNotFound) || want == (mmeKey{}) ||
		err == nil && newMMEKey(&have, pictureNames(have.Pictures)) == want {
		return have, err
	}
	if f.twins == nil {
		var wrong error
		if f.twins, wrong = indexByMMEKey(f.im.sink, f.old.Name); wrong != nil {
			return have, wrong
		}
	}
	o, ok := f.twins[want]
	if !ok {
		return have, err
	}
	if have, err = f.im.sink.Sample(f.old.Name, o); err == nil {
		s.ID, s.Question = have.ID, have.Question
	}
	return have, err
}

// makeBatchComparer gives where samples go while they are only compared.
func (f *filling) makeBatchComparer(_ context.Context, _ eval.DatasetName, batch []Item) error {
	for i := range batch {
		file := &batch[i].Sample
		have, err := f.findStoredSample(file)
		switch {
		case errors.Is(err, eval.ErrNotFound):
			f.wrong = fmt.Errorf("%w: it has no sample %s", ErrOtherContent, file.ID)
			return f.wrong
		case err != nil:
			return fmt.Errorf("look up sample %s: %w", file.ID, err)
		}
		out, kept, err := FillMissingFields(&have, file)
		if err != nil {
			f.wrong = err
			return err
		}
		if kept != "" {
			if err := f.im.sum.reportProblem(f.im.src.File.NewWarning(0, "%s", kept), &f.im.o); err != nil {
				return err
			}
		}
		if !sameSample(&out, &have) {
			f.filled++
		}
		f.same = f.same && digestSample(&out) == digestSample(file)
		if out.HasTruth() {
			f.truths++
		}
		f.seen[have.Ordinal] = true
	}
	return nil
}

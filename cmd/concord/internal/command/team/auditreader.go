package team

import (
	"context"
	"errors"
	"iter"
	"slices"

	"concord/annotate"
	"concord/annotate/audit"
	"concord/annotate/curation"
	"concord/annotate/rubric"
	"concord/cmd/concord/internal/keys"
	"concord/eval"
	"concord/store"
)

// auditReader reads what happened in a project out of its facts. Acts in queues,
// of which there may be millions, are read as they are told; the rest is
// gathered first. What a filter leaves out as a whole is not read.
type auditReader struct {
	st      *store.Store
	filter  *audit.Filter
	sources []audit.Seq
	names   []string              // of people, for the width of a column
	models  map[eval.RunID]string // of runs
	of      map[annotate.QueueName]eval.DatasetName
	ids     map[eval.DatasetName][]eval.SampleID
	broken  *int // records that could not be read
}

func newAuditReader(ctx context.Context, st *store.Store, f *audit.Filter) (*auditReader, error) {
	c := &auditReader{
		st: st, filter: f, models: make(map[eval.RunID]string), of: make(map[annotate.QueueName]eval.DatasetName),
		ids: make(map[eval.DatasetName][]eval.SampleID), broken: new(int),
	}
	for _, read := range []func(context.Context) error{c.runs, c.datasets, c.people, c.queues, c.reports, c.packets, c.judgings, c.elsewhere, c.disclosures} {
		if err := read(ctx); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// add takes up events that are gathered.
func (c *auditReader) add(events ...audit.Event) {
	events = slices.DeleteFunc(events, func(e audit.Event) bool { return !c.filter.Keeps(&e) })
	for i := range events {
		c.know(string(events[i].Who))
	}
	if len(events) > 0 {
		c.sources = append(c.sources, audit.Of(events))
	}
}

func (c *auditReader) know(who string) {
	if who != "" && !slices.Contains(c.names, who) {
		c.names = append(c.names, who)
	}
}

// legible passes over records that cannot be read, and counts them.
func legible[T any](broken *int, all iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for one, err := range all {
			if errors.Is(err, store.ErrCorrupt) {
				*broken++
			} else if !yield(one, err) {
				return
			}
		}
	}
}

func (c *auditReader) runs(context.Context) error {
	all, err := c.st.Runs().List()
	events := make([]audit.Event, 0, len(all))
	for i := range all {
		c.models[all[i].ID] = all[i].Config.Model
		events = append(events, audit.OfRun(&all[i]))
	}
	slices.SortStableFunc(events, func(a, b audit.Event) int { return a.At.Compare(b.At) })
	c.add(events...)
	return err
}

func (c *auditReader) datasets(ctx context.Context) error {
	all, err := c.st.Datasets().List()
	for i := range all {
		d := &all[i]
		c.add(audit.OfDataset(d))
		if c.filter.Queue != "" || c.filter.Dataset != "" && c.filter.Dataset != d.Name {
			continue
		}
		events, err := audit.Criteria(legible(c.broken, c.st.Criteria().Acts(ctx, d.Name)))
		if err != nil {
			return err
		}
		c.add(events...)
		for _, stream := range []func(context.Context, eval.DatasetName) error{c.curation, c.grading} {
			if err := stream(ctx, d.Name); err != nil {
				return err
			}
		}
	}
	return err
}

func (c *auditReader) curation(ctx context.Context, d eval.DatasetName) error {
	return personal(c, c.st.Curation().All(ctx, d), func(a *curation.Act) annotate.Annotator { return a.Expert }, audit.Curation)
}

func (c *auditReader) grading(ctx context.Context, d eval.DatasetName) error {
	return personal(c, c.st.Grades().Acts(ctx, d), func(a *rubric.Act) annotate.Annotator { return a.Person }, audit.Grading)
}

// personal adds the acts of each person, which come person by person.
func personal[T any](c *auditReader, all iter.Seq2[T, error], who func(*T) annotate.Annotator, events func([]T) []audit.Event) error {
	acts, err := collected(legible(c.broken, all))
	if err != nil {
		return err
	}
	for len(acts) > 0 {
		n := 1
		for n < len(acts) && who(&acts[n]) == who(&acts[0]) {
			n++
		}
		c.add(events(acts[:n])...)
		acts = acts[n:]
	}
	return nil
}

func collected[T any](all iter.Seq2[T, error]) (out []T, err error) {
	for one, err := range all {
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

func (c *auditReader) people(context.Context) error {
	all, err := c.st.People().History()
	c.add(audit.People(all, keys.Fingerprint)...)
	return err
}

func (c *auditReader) queues(ctx context.Context) error {
	all, err := c.st.Queues().List()
	if err != nil {
		return err
	}
	for i := range all {
		q := &all[i]
		c.of[q.Name] = q.Rule.Dataset
		if c.filter.Queue != "" && c.filter.Queue != q.Name || c.filter.Dataset != "" && c.filter.Dataset != q.Rule.Dataset {
			continue
		}
		versions, err := c.st.Queues().Guidelines(q.Name)
		if err != nil {
			return err
		}
		c.add(audit.OfQueue(q, versions)...)
		if !c.filter.Acts() {
			continue
		}
		people, err := c.st.Acts().Annotators(q.Name)
		if err != nil {
			return err
		}
		for _, who := range people {
			if c.filter.By == "" || c.filter.By == who {
				c.acts(ctx, q, who)
			}
		}
	}
	return nil
}

// disclosures adds what people were shown, where that is asked for.
func (c *auditReader) disclosures(ctx context.Context) error {
	if !c.filter.Disclosures() {
		return nil
	}
	shown, err := collected(legible(c.broken, c.st.Disclosures().All(ctx)))
	slices.SortStableFunc(shown, func(a, b annotate.Disclosure) int { return a.At.Compare(b.At) })
	events := make([]audit.Event, len(shown))
	for i := range shown {
		events[i] = audit.OfDisclosure(&shown[i])
	}
	c.add(events...)
	return err
}

// acts adds what one person did in a queue.
func (c *auditReader) acts(ctx context.Context, q *annotate.Queue, who annotate.Annotator) {
	c.know(string(who))
	recall := func(n uint32) (annotate.Act, error) { return c.st.Acts().Act(q.Name, who, n) }
	acts := legible(c.broken, c.st.Acts().Stream(ctx, q.Name, who))
	c.sources = append(c.sources, audit.Acts(q.Rule.Dataset, acts, recall))
}

func (c *auditReader) reports(context.Context) error {
	all, err := c.st.Reports().SavedReports("")
	c.add(audit.Reports(all, func(q annotate.QueueName) eval.DatasetName { return c.of[q] })...)
	return err
}

func (c *auditReader) packets(context.Context) error {
	all, err := c.st.Packets().List()
	c.add(audit.Packets(all, func(q annotate.QueueName) eval.DatasetName { return c.of[q] })...)
	return err
}

// judgings are what judges did, of which the project keeps totals.
func (c *auditReader) judgings(ctx context.Context) error {
	runs, err := c.st.Runs().List()
	if err != nil {
		return err
	}
	var events []audit.Event
	on := make(map[eval.RunID]eval.DatasetName, len(runs))
	for i := range runs {
		r := &runs[i]
		on[r.ID] = r.Config.Dataset
		read, err := c.st.Judgments().Counts(r.ID)
		if err != nil {
			return err
		}
		for _, j := range read {
			events = append(events, audit.Readings(r, j.Judge, "read", j.Counts.Judged))
		}
		scored, err := c.st.Scores().Counts(r.ID)
		if err != nil {
			return err
		}
		for _, j := range scored {
			events = append(events, audit.Readings(r, j.Judge, "scored", j.Counts.Scored()))
		}
	}
	contests, err := c.st.Votes().Comparisons(ctx)
	for i := range contests {
		events = append(events, audit.Votes(on[contests[i].A], &contests[i]))
	}
	c.add(events...)
	return err
}

// elsewhere is what came out of inspections, and what was measured elsewhere.
func (c *auditReader) elsewhere(ctx context.Context) error {
	all, err := c.st.Inspections().List()
	if err != nil {
		return err
	}
	events := make([]audit.Event, 0, len(all))
	for i := range all {
		events = append(events, audit.OfInspection(&all[i]))
	}
	for m, err := range legible(c.broken, c.st.Measures().All(ctx)) {
		if err != nil {
			return err
		}
		events = append(events, audit.Measured(&m))
	}
	slices.SortStableFunc(events, func(a, b audit.Event) int { return a.At.Compare(b.At) })
	c.add(events...)
	return nil
}

// sample is the id of a sample.
func (c *auditReader) sample(ctx context.Context, d eval.DatasetName, o eval.Ordinal) (eval.SampleID, error) {
	ids, known := c.ids[d]
	if !known {
		var err error
		if ids, err = c.st.Datasets().IDs(ctx, d); err != nil {
			return "", err
		}
		c.ids[d] = ids
	}
	if int(o) >= len(ids) {
		return "", nil
	}
	return ids[o], nil
}

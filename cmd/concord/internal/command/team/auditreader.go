package team

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"concord/annotate"
	"concord/annotate/audit"
	"concord/annotate/authoring"
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
	reads := []func(context.Context) error{c.readRuns, c.readDatasets, c.readAuthoring, c.readPeople, c.readQueues, c.readReports, c.readPackets, c.readJudgeRuns, c.readInspectionsAndScores, c.readDisclosures}
	return c, eval.Each(reads, func(read func(context.Context) error) error { return read(ctx) })
}

// addFilteredEvents takes up events that are gathered.
func (c *auditReader) addFilteredEvents(events ...audit.Event) {
	events = slices.DeleteFunc(events, func(e audit.Event) bool { return !c.filter.Keeps(&e) })
	for i := range events {
		c.addPerson(string(events[i].Who))
	}
	if len(events) > 0 {
		c.sources = append(c.sources, audit.NewSeq(events))
	}
}

func (c *auditReader) addPerson(who string) {
	if who != "" && !slices.Contains(c.names, who) {
		c.names = append(c.names, who)
	}
}

// skipAndCountBroken passes over records that cannot be read, and counts them.
func skipAndCountBroken[T any](broken *int, all iter.Seq2[T, error]) iter.Seq2[T, error] {
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

func (c *auditReader) readRuns(context.Context) error {
	all, err := c.st.Runs().List()
	events := make([]audit.Event, 0, len(all))
	for i := range all {
		c.models[all[i].ID] = all[i].Config.Model
		events = append(events, audit.NewRunEvent(&all[i]))
	}
	slices.SortStableFunc(events, func(a, b audit.Event) int { return a.At.Compare(b.At) })
	c.addFilteredEvents(events...)
	return err
}

func (c *auditReader) readDatasets(ctx context.Context) error {
	all, err := c.st.Datasets().List()
	for i := range all {
		d := &all[i]
		c.addFilteredEvents(audit.NewDatasetEvent(d))
		if c.filter.Queue != "" || c.filter.Dataset != "" && c.filter.Dataset != d.Name {
			continue
		}
		events, err := audit.CriteriaEvents(skipAndCountBroken(c.broken, c.st.Criteria().Acts(ctx, d.Name)))
		if err != nil {
			return err
		}
		c.addFilteredEvents(events...)
		if err := addGroupedActEvents(c, c.st.Curation().All(ctx, d.Name), func(a *curation.Act) annotate.Annotator { return a.Expert }, audit.CurationEvents); err != nil {
			return err
		}
		if err := addGroupedActEvents(c, c.st.Grades().Acts(ctx, d.Name), func(a *rubric.Act) annotate.Annotator { return a.Person }, audit.GradingEvents); err != nil {
			return err
		}
	}
	return err
}

func (c *auditReader) readAuthoring(ctx context.Context) error {
	if c.filter.Queue != "" {
		return nil
	}
	sample := func(a *authoring.Act) any { return [2]any{a.Dataset, a.Sample} }
	return addGroupedActEvents(c, c.st.Authoring().Acts(ctx, c.filter.Dataset), sample, audit.AuthoringEvents)
}

// addGroupedActEvents adds the acts of each person or sample, which come one by one.
func addGroupedActEvents[T any, K comparable](c *auditReader, all iter.Seq2[T, error], of func(*T) K, events func([]T) []audit.Event) error {
	acts, err := eval.Collect(skipAndCountBroken(c.broken, all))
	if err != nil {
		return err
	}
	for len(acts) > 0 {
		n := 1
		for n < len(acts) && of(&acts[n]) == of(&acts[0]) {
			n++
		}
		c.addFilteredEvents(events(acts[:n])...)
		acts = acts[n:]
	}
	return nil
}

func (c *auditReader) readPeople(context.Context) error {
	all, err := c.st.People().History()
	c.addFilteredEvents(audit.PersonEvents(all, keys.Fingerprint)...)
	return err
}

func (c *auditReader) readQueues(ctx context.Context) error {
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
		c.addFilteredEvents(audit.QueueEvents(q, versions)...)
		if !c.filter.WantsActs() {
			continue
		}
		people, err := c.st.Acts().Annotators(q.Name)
		if err != nil {
			return err
		}
		for _, who := range people {
			if c.filter.By == "" || c.filter.By == who {
				c.addActsOfPerson(ctx, q, who)
			}
		}
	}
	return nil
}

// readDisclosures adds what people were shown, where that is asked for.
func (c *auditReader) readDisclosures(ctx context.Context) error {
	if !c.filter.WantsDisclosures() {
		return nil
	}
	shown, err := eval.Collect(skipAndCountBroken(c.broken, c.st.Disclosures().All(ctx)))
	slices.SortStableFunc(shown, func(a, b annotate.Disclosure) int { return a.At.Compare(b.At) })
	c.addFilteredEvents(eval.Map(shown, func(d annotate.Disclosure) audit.Event { return audit.NewDisclosureEvent(&d) })...)
	return err
}

// addActsOfPerson adds what one person did in a queue.
func (c *auditReader) addActsOfPerson(ctx context.Context, q *annotate.Queue, who annotate.Annotator) {
	c.addPerson(string(who))
	recall := func(n uint32) (annotate.Act, error) { return c.st.Acts().Act(q.Name, who, n) }
	acts := skipAndCountBroken(c.broken, c.st.Acts().StreamActs(ctx, q.Name, who))
	c.sources = append(c.sources, audit.ActEvents(q.Rule.Dataset, acts, recall))
}

func (c *auditReader) readReports(context.Context) error {
	all, err := c.st.Reports().SavedReports("")
	c.addFilteredEvents(audit.ReportEvents(all, func(q annotate.QueueName) eval.DatasetName { return c.of[q] })...)
	return err
}

func (c *auditReader) readPackets(context.Context) error {
	all, err := c.st.Packets().List()
	c.addFilteredEvents(audit.PacketEvents(all, func(q annotate.QueueName) eval.DatasetName { return c.of[q] })...)
	return err
}

// readJudgeRuns reads what judges did, of which the project keeps totals.
func (c *auditReader) readJudgeRuns(ctx context.Context) error {
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
		events = append(events, eval.Map(read, func(j eval.JudgeProgress) audit.Event {
			return audit.NewReadingsEvent(r, j.Judge, "read", j.Counts.Judged)
		})...)
		scored, err := c.st.Scores().Counts(r.ID)
		if err != nil {
			return err
		}
		events = append(events, eval.Map(scored, func(j eval.ScoreProgress) audit.Event {
			return audit.NewReadingsEvent(r, j.Judge, "scored", j.Counts.CountScored())
		})...)
		graded := make(map[string]map[eval.Key]bool)
		for g, err := range c.st.Grades().All(ctx, r.ID) {
			if err != nil {
				return err
			}
			eval.GetOrAdd(graded, g.Judge, func() map[eval.Key]bool { return make(map[eval.Key]bool) })[g.Key] = true
		}
		events = append(events, eval.Map(slices.Sorted(maps.Keys(graded)), func(name string) audit.Event { return audit.NewReadingsEvent(r, name, "graded", len(graded[name])) })...)
	}
	contests, err := c.st.Votes().AllComparisons(ctx)
	for i := range contests {
		events = append(events, audit.NewVotesEvent(on[contests[i].A], &contests[i]))
	}
	c.addFilteredEvents(events...)
	return err
}

// readInspectionsAndScores reads what came out of inspections, and what was measured elsewhere.
func (c *auditReader) readInspectionsAndScores(ctx context.Context) error {
	all, err := c.st.Inspections().List()
	if err != nil {
		return err
	}
	events := eval.Map(all, func(in curation.Inspection) audit.Event { return audit.NewInspectionEvent(&in) })
	scores, err := eval.Collect(skipAndCountBroken(c.broken, c.st.ExternalScores().All(ctx)))
	events = append(events, eval.Map(scores, func(m eval.ExternalScore) audit.Event { return audit.NewExternalScoreEvent(&m) })...)
	slices.SortStableFunc(events, func(a, b audit.Event) int { return a.At.Compare(b.At) })
	c.addFilteredEvents(events...)
	return err
}

func (c *auditReader) sampleID(ctx context.Context, d eval.DatasetName, o eval.Ordinal) (eval.SampleID, error) {
	ids, err := eval.GetOrRead(c.ids, d, func() ([]eval.SampleID, error) { return c.st.Datasets().SampleIDs(ctx, d) })
	if err != nil || int(o) >= len(ids) {
		return "", err
	}
	return ids[o], nil
}

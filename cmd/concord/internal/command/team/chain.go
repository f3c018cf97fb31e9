package team

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"concord/annotate"
	"concord/annotate/chain"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset/export"
	"concord/store"
)

// errBroken is that the acts of a project are not those that were recorded.
var errBroken = errors.New("the acts are not those that were recorded")

// chainRow is one person's chain of acts as scripts read it.
type chainRow struct {
	Person any             `json:"person"` // nil: nobody knows whose the missing acts were
	Acts   int             `json:"acts"`   // all of the person's
	Before int             `json:"before"` // of them, of before the chain
	Since  *actRow         `json:"since"`  // the first act of the chain; nil: none yet
	Chain  uint64          `json:"chained"`
	Head   string          `json:"head"`
	Whole  bool            `json:"whole"`
	Faults []chainFaultRow `json:"faults"`
}

type actRow struct {
	Queue    any `json:"queue"`
	Dataset  any `json:"dataset"`
	Criteria any `json:"criteria_of"` // the sample whose criteria it is about
	Act      any `json:"act"`
}

type chainFaultRow struct {
	Kind chain.FaultKind `json:"kind"`
	What string          `json:"what"`
	actRow
	Head string `json:"head,omitempty"` // that was published
}

// parsePublishedHeads reads PERSON=HASH, of which the person may have an = too.
func parsePublishedHeads(typed []string) ([]chain.Published, error) {
	var out []chain.Published
	for _, t := range typed {
		i := strings.LastIndexByte(t, '=')
		if i <= 0 {
			return nil, fmt.Errorf("--head %q: want PERSON=HASH", t)
		}
		out = append(out, chain.Published{Person: annotate.Annotator(t[:i]), Hash: t[i+1:], Where: "--head"})
	}
	return out, nil
}

type chainPrinter struct {
	ctx    context.Context
	a      *project.Project
	reader *auditReader
}

// verifyChains checks everybody's chain of acts, and the heads that were given and that saved reports name.
func verifyChains(ctx context.Context, a *project.Project, st *store.Store, f *auditFlags) error {
	saved, err := st.Reports().SavedReports("")
	if err != nil {
		return err
	}
	published, err := parsePublishedHeads(f.heads)
	if err != nil {
		return cli.NewUsageError(err)
	}
	for _, r := range saved {
		for _, h := range r.Heads {
			published = append(published, chain.Published{Person: h.Person, Hash: h.Hash, Where: fmt.Sprintf("saved report %d", r.ID)})
		}
	}
	all, damage, err := st.Acts().CheckChains(ctx, published)
	switch {
	case errors.Is(err, store.ErrInvalid):
		return cli.NewUsageError(err)
	case err != nil:
		return err
	}
	v := &chainPrinter{ctx, a, &auditReader{st: st, ids: make(map[eval.DatasetName][]eval.SampleID)}}
	rows, faults := make([]chainRow, 0, len(all)), 0
	for i := range all {
		row, err := v.newChainRow(&all[i])
		if err != nil {
			return err
		}
		rows = append(rows, row)
		faults += eval.Count(row.Faults, func(f chainFaultRow) bool { return f.Kind != chain.Unread }) // that is damage
	}
	if err := v.printChains(rows, damage, len(published)); err != nil {
		return err
	}
	switch {
	case faults > 0:
		return fmt.Errorf("%w: %s (see above)", errBroken, cli.FormatCount(faults, "fault"))
	case len(damage) > 0:
		return fmt.Errorf("%s cannot be read: %w (see: concord doctor)", cli.FormatCount(len(damage), "record"), store.ErrCorrupt)
	}
	return nil
}

func (v *chainPrinter) newChainRow(c *chain.Chain) (chainRow, error) {
	out := chainRow{Person: export.CellOrNil(string(c.Person)), Acts: c.Acts, Before: c.Older, Chain: c.Head.Place, Whole: c.IsWhole(), Faults: []chainFaultRow{}}
	if c.Head != (chain.Head{}) {
		out.Head = c.Head.Hash.String()
	}
	if c.Since != nil {
		since, err := v.newActRow(c.Since)
		if err != nil {
			return out, err
		}
		out.Since = &since
	}
	for i := range c.Faults {
		f := &c.Faults[i]
		at, err := v.newActRow(&f.Act)
		if err != nil {
			return out, err
		}
		out.Faults = append(out.Faults, chainFaultRow{f.Kind, f.Describe(v.describeAct), at, f.Published.Hash})
	}
	return out, nil
}

func (v *chainPrinter) newActRow(at *chain.Act) (actRow, error) {
	out := actRow{Queue: export.CellOrNil(string(at.Queue)), Dataset: export.CellOrNil(string(at.Dataset)), Act: export.CellOrNil(int(at.N))}
	if at.Of != chain.OnCriteria {
		return out, nil
	}
	id, err := v.reader.sampleID(v.ctx, at.Dataset, at.Sample)
	out.Criteria = string(id)
	return out, err
}

// describeAct names an act in words.
func (v *chainPrinter) describeAct(at *chain.Act) string {
	of := ""
	switch at.Of {
	case chain.InQueue:
		of = "in queue " + string(at.Queue)
	case chain.InCuration:
		of = "in the curation of " + string(at.Dataset)
	case chain.OnGrades:
		of = "in the grading of " + string(at.Dataset)
	case chain.OnCriteria:
		id, err := v.reader.sampleID(v.ctx, at.Dataset, at.Sample)
		if err != nil {
			id = eval.SampleID(fmt.Sprint("number ", at.Sample))
		}
		of = fmt.Sprintf("on the criteria of sample %s of %s", id, at.Dataset)
	case chain.OnSamples:
		of = fmt.Sprintf("on written sample %d of %s", at.Sample, at.Dataset)
	case chain.PartUnset:
		return "an act"
	}
	return fmt.Sprintf("act %d %s", at.N, of)
}

// printChains writes the chains for scripts or people.
func (v *chainPrinter) printChains(rows []chainRow, damage []error, published int) error {
	if v.a.JSON {
		broken := append([]string{}, eval.Map(damage, error.Error)...)
		return v.a.WriteJSON(struct {
			Report    string     `json:"report"`
			Rows      []chainRow `json:"rows"`
			Published int        `json:"published_heads"` // that were looked for
			Damage    []string   `json:"damage"`
		}{"chains", rows, published, broken})
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(v.a.Out, "nobody has acted yet")
		return err
	}
	table := [][]string{{"person", "acts", "chained", "from", "head", "chain of acts"}}
	for i := range rows {
		if rows[i].Person != nil {
			table = append(table, v.formatLine(&rows[i]))
		}
	}
	if err := cli.WriteColumns(v.a.Out, table); err != nil {
		return err
	}
	for _, r := range rows {
		for _, f := range r.Faults {
			_, _ = fmt.Fprintf(v.a.Out, "%s: %s\n", cli.EscapeControls(cmp.Or(asPersonName(r.Person), "whose is not known")), cli.EscapeControls(f.What))
		}
	}
	for _, d := range damage {
		_, _ = fmt.Fprintln(v.a.Out, cli.EscapeControls(d.Error()))
	}
	var err error
	if published > 0 {
		_, err = fmt.Fprintf(v.a.Out, "looked for %s that saved reports or --head name\n", cli.FormatCount(published, "head"))
	}
	return err
}

func asPersonName(person any) string {
	name, _ := person.(string)
	return name
}

func (v *chainPrinter) formatLine(r *chainRow) []string {
	state := eval.Either(r.Whole, "whole", "BROKEN: "+cli.FormatCount(len(r.Faults), "fault"))
	from := "no act yet"
	switch {
	case r.Since != nil && r.Since.Criteria != nil:
		from = fmt.Sprintf("act %v on sample %v of %v", r.Since.Act, r.Since.Criteria, r.Since.Dataset)
	case r.Since != nil:
		from = fmt.Sprintf("act %v in %v", r.Since.Act, cmp.Or(asPersonName(r.Since.Queue), asPersonName(r.Since.Dataset)))
	case r.Chain > 0:
		from = "not there"
	}
	return []string{asPersonName(r.Person), fmt.Sprint(r.Acts), fmt.Sprint(r.Chain), from, r.Head[:min(len(r.Head), chain.ShortSize)], state}
}

// unverifiable are the flags of log that say nothing of a chain.
var unverifiable = []string{"queue", "dataset", "by", "since", "until", "kind", "last", "utc", "format"}

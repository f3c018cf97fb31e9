package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/agree"
	"concord/annotate/report/alignment"
	"concord/annotate/report/catalogue"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/dataset/rowfile"
	"concord/eval/stat"
)

type agreeFlags struct {
	columns                     rowfile.RatingColumns
	level, reference, undecided string
	recode                      []string
	minAgreement, minKappa      float64
	gate, format                string
	strict                      bool
	opts                        alignment.AgreeOptions
}

// NewAgreeCmd makes the command agree.
func NewAgreeCmd(a *project.Project) *cobra.Command {
	var f agreeFlags
	cmd := project.NewCmd("agree FILE --item COLUMN --rater COLUMN --value COLUMN", "How far raters agree, of any long table of ratings", cobra.ExactArgs(1), func(cmd *cobra.Command, args []string) error {
		o, err := f.readOptions(cmd, a.JSON)
		if err != nil {
			return cli.NewUsageError(err)
		}
		return runAgree(cmd.Context(), a, args[0], &f, o)
	})
	fs := cmd.Flags()
	fs.StringVar(&f.columns.Item, "item", "", "the `column` that names what was rated (required)")
	fs.StringVar(&f.columns.Rater, "rater", "", "the `column` that names who rated (required)")
	fs.StringVar(&f.columns.Value, "value", "", "the `column` that holds the rating (required)")
	fs.StringVar(&f.level, "level", "nominal", "what distances mean: nominal, ordinal, interval or ratio")
	fs.StringSliceVar(&f.opts.Scale.Order, "order", nil, "ordinal `classes` from the lowest (default: they are numbers)")
	fs.StringSliceVar(&f.opts.Raters, "raters", nil, "only these `raters` (default: all)")
	fs.StringSliceVar(&f.opts.Judges, "judges", nil, "these `raters` are judges: the alternative annotator test of each against the others")
	fs.Float64Var(&f.opts.Epsilon, "epsilon", agree.AlternativeEpsilon, "with --judges: what a person's work is dearer than a judge's, as a share")
	fs.StringVar(&f.reference, "reference", "", "a `rater`, or majority:A,B,.., that the raters are set beside")
	fs.StringVar(&f.undecided, "undecided", "dropped", "what items without consensus in the reference become: dropped, own (a class of their own), or a `class`")
	fs.StringArrayVar(&f.recode, "recode", nil, "read a class as another, `FROM=TO`, or as no rating, FROM=")
	fs.Float64Var(&f.minAgreement, "min-agreement", 0, "`floor` of the agreement, from 0 to 1")
	fs.Float64Var(&f.minKappa, "min-kappa", 0, "`floor` of kappa, from -1 to 1")
	fs.StringVar(&f.gate, "gate", "bound", catalogue.GateUsage)
	fs.IntVar(&f.opts.Bootstrap.Times, "resamples", 2000, "how often the bootstrap draws; 0: no such intervals")
	fs.Uint64Var(&f.opts.Bootstrap.Seed, "seed", 1, "seed of the bootstrap")
	fs.StringVar(&f.format, "format", "table", "table, json, csv, markdown or latex")
	fs.BoolVar(&f.strict, "strict", false, "fail at the first row that cannot be read")
	a.MarkRequiredFlags(cmd, "item", "rater", "value")
	return cmd
}

func (f *agreeFlags) readOptions(cmd *cobra.Command, json bool) (o alignment.AgreeOptions, err error) {
	o = f.opts
	if err := cli.ResolveReportFormat(&f.format, json); err != nil {
		return o, err
	}
	if o.Scale.Level, err = agree.ParseLevel(f.level); err != nil {
		return o, err
	}
	if len(o.Scale.Order) > 0 && o.Scale.Level != agree.Ordinal {
		return o, errors.New("--order is of the ordinal level")
	}
	for _, list := range [][]string{o.Scale.Order, o.Raters, o.Judges} {
		if twice := firstRepeated(list); twice != "" {
			return o, fmt.Errorf("%q is named twice", twice)
		}
	}
	if o.Reference, err = parseReference(f.reference, f.undecided); err != nil {
		return o, err
	}
	if n := o.Bootstrap.Times; n < 0 || n > 1_000_000 {
		return o, fmt.Errorf("--resamples %d is not from 0 to 1,000,000", n)
	}
	if !(o.Epsilon >= 0 && o.Epsilon < 1) {
		return o, errors.New("--epsilon is a share from 0 to 1")
	}
	o.Bootstrap.Confidence = stat.Confidence
	if cmd.Flags().Changed("min-agreement") {
		o.Thresholds.Agreement = &f.minAgreement
	}
	if cmd.Flags().Changed("min-kappa") {
		o.Thresholds.Kappa = &f.minKappa
	}
	if o.Thresholds.ByValue, err = catalogue.ParseGate(f.gate); err != nil {
		return o, err
	}
	if !(f.minAgreement >= 0 && f.minAgreement <= 1) || !(f.minKappa >= -1 && f.minKappa <= 1) {
		return o, errors.New("a floor is a share: 0.8, not 80")
	}
	for _, r := range f.recode {
		from, to, ok := strings.Cut(r, "=")
		if !ok || from == "" {
			return o, fmt.Errorf("--recode %q: want FROM=TO, or FROM= for no rating", r)
		}
		o.Recoded = append(o.Recoded, alignment.Recoded{From: from, To: to})
	}
	return o, nil
}

func firstRepeated(list []string) string {
	seen := make(map[string]bool)
	for _, s := range list {
		if seen[s] {
			return s
		}
		seen[s] = true
	}
	return ""
}

// ownClass is what items without agreement become under --undecided own.
const ownClass = "(undecided)"

func parseReference(s, undecided string) (alignment.Reference, error) {
	if s == "" {
		return alignment.Reference{}, nil
	}
	var out alignment.Reference
	name, list, _ := strings.Cut(s, ":")
	for _, p := range []annotate.Policy{annotate.Unanimous, annotate.Majority, annotate.Plurality} {
		if strings.HasPrefix(s, p.String()+":") {
			out = alignment.Reference{Policy: p, Raters: strings.Split(list, ",")}
		}
	}
	if out.Policy == annotate.PolicyUnset {
		return alignment.Reference{Raters: []string{s}}, nil // one rater, whose name may hold a colon
	}
	for i, r := range out.Raters {
		if out.Raters[i] = strings.TrimSpace(r); out.Raters[i] == "" {
			return out, fmt.Errorf("--reference %q: want %s:A,B", s, name)
		}
	}
	if twice := firstRepeated(out.Raters); twice != "" {
		return out, fmt.Errorf("--reference %q names %q twice", s, twice)
	}
	switch undecided {
	case annotate.Dropped.String(), "":
	case "own":
		out.Undecided = ownClass
	default:
		out.Undecided = undecided
	}
	return out, nil
}

func runAgree(ctx context.Context, a *project.Project, path string, f *agreeFlags, o alignment.AgreeOptions) error {
	in := a.In
	o.File = "standard input"
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("open ratings: %w", err)
		}
		defer func() { _ = file.Close() }()
		in, o.File = file, path
	}
	l, err := readRatings(ctx, a, in, path, f, &o)
	if err != nil {
		return err
	}
	m := a.NewProgress("drawing resamples")
	o.Bootstrap.Progress = m.ShowItems
	r, err := alignment.ReportRatings(ctx, l, o)
	m.RemoveBar()
	if ctx.Err() != nil {
		return cli.ErrStopped
	}
	if err != nil {
		return err
	}
	if err := a.PrintReport(r, f.format); err != nil {
		return err
	}
	if unmet := alignment.FindUnmetGates(&r); len(unmet) > 0 {
		return cli.NewGateError(unmet)
	}
	return nil
}

// readRatings reads the ratings. Two of one item by one rater leave open which is
// meant: they are an error that names them.
func readRatings(ctx context.Context, a *project.Project, in io.Reader, path string, f *agreeFlags, o *alignment.AgreeOptions) (*agree.LongTable, error) {
	name := eval.Either(path == "-", o.File, path)
	g := ratingTable{file: name, o: o, chosen: chosenRaters(o), long: new(agree.LongTable)}
	rows := 0
	for r, err := range rowfile.ReadRatings(in, name, f.columns) {
		if rows++; rows%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			err = g.addRating(&r)
		}
		var p *dataset.Problem
		switch {
		case errors.As(err, &p) && f.strict:
			return nil, err
		case errors.As(err, &p):
			o.Skipped++
			g.reason = cmp.Or(g.reason, p.String())
			a.PrintSkippedRow(*p)
		case err != nil:
			return nil, err
		}
	}
	return g.long, g.explainMissingTable(f.columns.Value)
}

// chosenRaters are the raters that the options speak of; nil is all.
func chosenRaters(o *alignment.AgreeOptions) map[string]bool {
	if len(o.Raters) == 0 {
		return nil
	}
	return eval.IndexBy(slices.Concat(o.Raters, o.Reference.Raters), func(r string) (string, bool) { return r, true })
}

// ratingTable puts the rows of a file into a table.
type ratingTable struct {
	file   string
	o      *alignment.AgreeOptions
	chosen map[string]bool
	long   *agree.LongTable
	taken  int
	reason string // why the first row was skipped

	twice []string
	more  int
}

// shownTwice is how many repeated ratings an error names.
const shownTwice = 10

func (g *ratingTable) addRating(r *rowfile.Rating) error {
	value := r.Value
	for i := range g.o.Recoded {
		if c := &g.o.Recoded[i]; c.From == value {
			value = c.To
			c.N++
			break
		}
	}
	if value == "" {
		if r.Value == "" && g.isChosenRater(r.Rater) {
			g.o.Missing++
		}
		return nil
	}
	class, err := g.o.Scale.NormalizeClass(value)
	if err != nil {
		return &dataset.Problem{File: g.file, Line: r.Line, Reason: err.Error()}
	}
	earlier, ok := g.long.AddRating(r.Item, r.Rater, class, r.Line)
	switch {
	case ok:
		g.taken++
	case !g.isChosenRater(r.Rater):
	case len(g.twice) < shownTwice:
		g.twice = append(g.twice, fmt.Sprintf("item %q by %q in lines %d and %d", r.Item, r.Rater, earlier, r.Line))
	default:
		g.more++
	}
	return nil
}

// isChosenRater reports whether the options speak of a rater.
func (g *ratingTable) isChosenRater(rater string) bool { return g.chosen == nil || g.chosen[rater] }

// explainMissingTable is why there is no table, or nil.
func (g *ratingTable) explainMissingTable(column string) error {
	switch {
	case len(g.twice) > 0:
		more := eval.Either(g.more > 0, fmt.Sprintf("; and %d more", g.more), "")
		return fmt.Errorf("%s rates twice: %s%s", g.file, strings.Join(g.twice, "; "), more)
	case g.taken == 0 && g.reason != "":
		return fmt.Errorf("%s holds no rating that can be read: %s", g.file, g.reason)
	case g.taken == 0:
		return fmt.Errorf("%s holds no rating in column %q", g.file, column)
	}
	return nil
}

package team

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/audit"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/store"
)

// auditFlags are the flags of log, as typed.
type auditFlags struct {
	queue, dataset, by, since, until, format string
	kinds, heads                             []string
	verify                                   bool
	last                                     int
	utc                                      bool
	filter                                   audit.Filter
}

// NewLogCmd makes the command log.
func NewLogCmd(a *project.Project) *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use:   "log",
		Short: "Tell who did what when, from what the project keeps",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.verify || len(f.heads) > 0 {
				for _, name := range unverifiable {
					if cmd.Flags().Changed(name) {
						return cli.NewUsageError(fmt.Errorf("--%s does not go with --verify: a chain is checked as a whole", name))
					}
				}
				return a.Read(cmd.Context(), func(st *store.Store) error { return verifyChains(cmd.Context(), a, st, &f) })
			}
			if err := f.parseFlags(a.Now(), cmd.Flags().Changed("last")); err != nil {
				return cli.NewUsageError(err)
			}
			if a.JSON {
				f.format = formatJSON
			}
			return a.Read(cmd.Context(), func(st *store.Store) error { return printAudit(cmd.Context(), a, st, &f) })
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.queue, "queue", "", "only what happened in this queue")
	fs.StringVar(&f.dataset, "dataset", "", "only what is about this dataset")
	fs.StringVar(&f.by, "by", "", "only what this `person` did")
	fs.StringVar(&f.since, "since", "", "only from this `time` on: 2026-03-01, 2026-03-01 14:30, RFC 3339, or an age like 90m, 24h, 7d")
	fs.StringVar(&f.until, "until", "", "only before this `time`; a day includes itself")
	fs.StringSliceVar(&f.kinds, "kind", nil, "only these `kinds`: "+strings.Join(ListKinds(), ", "))
	fs.IntVarP(&f.last, "last", "n", 0, "only the last `N` of them")
	fs.BoolVar(&f.utc, "utc", false, "times in UTC (default: in the time zone of this machine)")
	fs.StringVar(&f.format, "format", formatTable, "table, json, csv or jsonl")
	fs.BoolVar(&f.verify, "verify", false, "check everybody's chain of acts: that nothing was changed, removed or put in")
	fs.StringArrayVar(&f.heads, "head", nil, "with --verify: a `PERSON=HASH` that was published earlier and has to be in the chain")
	return cmd
}

// The formats of log.
const (
	formatTable = "table"
	formatJSON  = "json"
)

func (f *auditFlags) parseFlags(now time.Time, last bool) error {
	if last && f.last < 1 {
		return fmt.Errorf("-n %d: want at least one", f.last)
	}
	if !slices.Contains([]string{formatTable, formatJSON, "csv", "jsonl"}, f.format) {
		return fmt.Errorf("unknown format %q: want one of table, json, csv, jsonl", f.format)
	}
	f.filter = audit.Filter{Queue: annotate.QueueName(f.queue), Dataset: eval.DatasetName(f.dataset), By: annotate.Annotator(f.by)}
	for _, k := range f.kinds {
		kind, err := audit.ParseKind(k)
		if err != nil {
			return err
		}
		f.filter.Kinds = append(f.filter.Kinds, kind)
	}
	zone := time.Local
	if f.utc {
		zone = time.UTC
	}
	var err error
	if f.filter.Since, err = cli.ParseTime(f.since, now, zone, false); err != nil {
		return fmt.Errorf("--since %w", err)
	}
	if f.filter.Until, err = cli.ParseTime(f.until, now, zone, true); err != nil {
		return fmt.Errorf("--until %w", err)
	}
	return nil
}

// printAudit prints the events that are asked for, as they come.
func printAudit(ctx context.Context, a *project.Project, st *store.Store, f *auditFlags) error {
	if f.queue != "" {
		if _, err := st.Queues().Queue(annotate.QueueName(f.queue)); err != nil {
			return fmt.Errorf("%w (see: concord queue list)", err)
		}
	}
	if f.dataset != "" {
		if _, err := st.Datasets().Dataset(eval.DatasetName(f.dataset)); err != nil {
			return err
		}
	}
	c, err := newAuditReader(ctx, st, &f.filter)
	if err != nil {
		return err
	}
	all := eval.Filter(audit.MergeSeqs(c.sources...), f.filter.Keeps)
	if f.last > 0 {
		last, err := audit.LastEvents(all, f.last)
		if err != nil {
			return err
		}
		all = audit.NewSeq(last)
	}
	w, err := newAuditWriter(ctx, a, c, f)
	if err != nil {
		return err
	}
	for e, err := range all {
		if err == nil {
			err = w.writeEvent(&e)
		}
		if err != nil {
			return errors.Join(err, w.close())
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	if *c.broken > 0 {
		return fmt.Errorf("%s cannot be read and are left out: %w (see: concord doctor)", cli.FormatCount(*c.broken, "record"), store.ErrCorrupt)
	}
	return nil
}

// ListKinds lists the kinds of what concord log tells.
func ListKinds() []string {
	return eval.Map(audit.AllKinds(), func(k audit.Kind) string { return string(k) })
}

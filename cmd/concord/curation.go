package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"concord/annotate"
	"concord/annotate/criteria"
	"concord/annotate/curation"
	"concord/annotate/session"
	"concord/eval"
	"concord/eval/dataset"
	"concord/store"
	"concord/tui"
	criteriascreen "concord/tui/criteria"
)

// writing shows the store as the screen of criteria reads it.
type writing struct{ st *store.Store }

var _ criteriascreen.Source = writing{}

// Datasets are all of the project.
func (c writing) Datasets() ([]eval.Dataset, error) { return c.st.Datasets().List() }

// Rows are all samples of a dataset with their criteria.
func (c writing) Rows(ctx context.Context, d eval.DatasetName) ([]criteriascreen.Row, error) {
	sets := make(map[eval.Ordinal]criteria.Set)
	for set, err := range c.st.Criteria().All(ctx, d) {
		if err != nil {
			return nil, err
		}
		sets[set.Sample] = set
	}
	var out []criteriascreen.Row
	for s, err := range c.st.Datasets().Samples(ctx, d) {
		if err != nil {
			return nil, err
		}
		set, acted := sets[s.Ordinal]
		if !acted {
			set = criteria.Empty(d, s.Ordinal)
		}
		out = append(out, criteriascreen.Row{Sample: s, Set: set})
	}
	return out, nil
}

// unshown finds the samples whose criteria the queues of pairs keep from a
// person.
func unshown(st *store.Store, veils *annotate.VisibilityPolicies) func(context.Context, annotate.Annotator, eval.DatasetName) (map[eval.Ordinal]annotate.QueueName, error) {
	return func(ctx context.Context, who annotate.Annotator, d eval.DatasetName) (map[eval.Ordinal]annotate.QueueName, error) {
		out := make(map[eval.Ordinal]annotate.QueueName)
		veil, err := veils.For(who, d)
		if err != nil || !veil.HidesCriteria() {
			return out, err
		}
		for s, err := range st.Datasets().Samples(ctx, d) {
			if err != nil {
				return nil, err
			}
			q, err := veil.CriteriaHiddenBy(s.Ordinal)
			if err != nil {
				return nil, err
			}
			if q != "" {
				out[s.Ordinal] = q
			}
		}
		return out, nil
	}
}

// Set is the criteria of one sample.
func (c writing) Set(d eval.DatasetName, o eval.Ordinal) (criteria.Set, error) {
	return c.st.Criteria().Set(d, o)
}

// Picture reads the bytes of a picture.
func (c writing) Picture(h eval.PictureHash) ([]byte, error) { return c.st.Datasets().Picture(h) }

// maxAdded is how large a picture's file may be.
const maxAdded = 64 << 20

// Add adds a sample, with the picture that its path leads to.
func (c writing) Add(ctx context.Context, d eval.DatasetName, a criteriascreen.Addition) (eval.Sample, error) {
	item := dataset.Item{Sample: a.Sample}
	if a.Picture != "" {
		data, err := readPicture(a.Picture)
		if err != nil {
			return eval.Sample{}, err
		}
		sum := sha256.Sum256(data)
		hash := eval.PictureHash(hex.EncodeToString(sum[:]))
		item.Sample.Pictures = []eval.Picture{{Hash: hash, Name: filepath.Base(a.Picture)}}
		item.Pictures = map[eval.PictureHash][]byte{hash: data}
	}
	return c.st.Datasets().Add(ctx, d, item)
}

// readPicture reads a file that is a picture, and not a large one.
func readPicture(path string) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // the person at the keyboard names it
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxAdded+1))
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	if len(data) > maxAdded {
		return nil, fmt.Errorf("read picture: %s is larger than %d MB", path, maxAdded>>20)
	}
	if _, err := criteria.Measure(data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// savers are all writers of people's acts, as one.
type savers struct {
	journal  *session.Journal
	criteria *criteria.Writer
	curation *curation.Journal
}

var _ tui.Saver = savers{}

// State adds up what waits and what is saved.
func (s savers) State() session.JournalState {
	out, more, verdicts := s.journal.State(), s.criteria.State(), s.curation.State()
	out.Saved += more.Saved + verdicts.Saved
	out.Pending += more.Pending + verdicts.Pending
	for _, err := range []error{more.Err, verdicts.Err} {
		if out.Err == nil {
			out.Err = err
		}
	}
	return out
}

// Flush waits until all have stored everything.
func (s savers) Flush(ctx context.Context) error {
	return errors.Join(s.journal.Flush(ctx), s.criteria.Flush(ctx), s.curation.Flush(ctx))
}

func newCriteriaCmd(a *app) *cobra.Command {
	var name, as string
	var quotas []string
	cmd := &cobra.Command{
		Use:   "criteria",
		Short: "Write what good answers must do, and review what others wrote",
		Long: `Opens the screen on which criteria are written, reviewed and verified, sample by
sample. A quota is given as to report criteria: capability=10, or a file.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := needTerminal(a); err != nil {
				return err
			}
			wanted, err := parseQuotas(quotas)
			if err != nil {
				return usageError{err}
			}
			o := screenOptions{as: as, quotas: wanted, start: tui.Start{Tab: tui.TabCriteria, Dataset: eval.DatasetName(name)}}
			return openScreen(cmd.Context(), a, o, func(st *store.Store) error {
				if name == "" {
					return nil
				}
				_, err := st.Datasets().Dataset(eval.DatasetName(name))
				return err
			})
		},
	}
	cmd.AddCommand(newCriteriaAddCmd(a))
	cmd.Flags().StringVar(&name, "dataset", "", "the dataset to work on (default: the only one, else asked for)")
	cmd.Flags().StringVar(&as, "as", "", "the `name` to work under (default: asked for)")
	addScreenFlags(a, cmd.Flags())
	cmd.Flags().StringArrayVar(&quotas, "quota", nil, "how many samples a group is to have: LEVEL=N, or a `file`")
	return cmd
}

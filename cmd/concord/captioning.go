package main

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"concord/eval"
	"concord/eval/engine"
	"concord/eval/judge"
	"concord/eval/prompt"
	"concord/store"
)

// Why a caption is not asked for, as scripts read it.
const (
	noPicture      = "no_picture"
	pictureNotHeld = "picture_not_held"
)

// captioningOrder is whose pictures a model is to describe.
type captioningOrder struct {
	Dataset eval.DatasetName
	Model   string
	Edge    int  // below 0: as the model is configured
	Failed  bool // what failed is asked again
}

// captioning is an order made out.
type captioning struct {
	role
	order captioningOrder
	eval.Tally
	due     []eval.Ordinal
	missing map[string]int
}

func newCaptionCmd(a *app) *cobra.Command {
	var o captioningOrder
	var f errandFlags
	var name string
	cmd := &cobra.Command{
		Use:   "caption --dataset NAME --model NAME",
		Short: "Have a model describe the pictures, for judges that see none",
		Long: `Asks a model to describe each sample's picture in detail (MLLM-Bench, App. F.6)
and keeps every description: what a judge reads in the picture's place with
concord judge votes --input caption. The same command goes on where it stopped.
Samples without a picture, or whose picture the project does not hold, are left
out and counted.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := need(cmd, "dataset", "model"); err != nil {
				return err
			}
			if err := f.read(); err != nil {
				return err
			}
			switch given := cmd.Flags().Changed("edge"); {
			case given && o.Edge < 0:
				return usageError{fmt.Errorf("--edge %d: want 0 or more", o.Edge)}
			case !given:
				o.Edge = -1
			}
			o.Dataset = eval.DatasetName(name)
			return a.writeExisting(cmd.Context(), func(st *store.Store) error {
				l, err := newLab(a, st)
				if err != nil {
					return err
				}
				c, err := l.captioning(cmd.Context(), &o)
				if err != nil {
					return err
				}
				return l.carryOut(cmd.Context(), c, f.effort, f.estimate)
			})
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&name, "dataset", "", "the dataset whose pictures are described (required)")
	fs.StringVar(&o.Model, "model", "", "`name` of a model in the configuration (required)")
	fs.IntVar(&o.Edge, "edge", 0, "pictures are scaled down to this longer edge, in `pixels`; 0: never (default: as the model is configured)")
	fs.BoolVar(&o.Failed, "retry-failed", false, "ask again what failed, too")
	f.add(fs, "captions", "these captions")
	return cmd
}

// captioning makes an order out. Nothing is asked, and nothing is stored.
func (l *lab) captioning(ctx context.Context, o *captioningOrder) (*captioning, error) {
	if _, err := l.survey(ctx, o.Dataset); err != nil {
		return nil, err
	}
	c := &captioning{order: *o, missing: make(map[string]int)}
	var err error
	if c.role, err = l.cast(o.Model, prompt.Caption); err == nil {
		err = c.sight(o.Edge)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", o.Model, err)
	}
	standing, err := c.standing(ctx)
	if err != nil {
		return nil, err
	}
	for s, err := range l.st.Datasets().Samples(ctx, o.Dataset) {
		switch {
		case err != nil:
			return nil, err
		case len(s.Pictures) == 0:
			c.missing[noPicture]++
			continue
		case slices.ContainsFunc(s.Pictures, func(p eval.Picture) bool { return !held(p) }):
			c.missing[pictureNotHeld]++
			continue
		}
		c.Wanted++
		switch one, known := standing[s.Ordinal]; {
		case !known || !one.Reads() && o.Failed:
			c.due = append(c.due, s.Ordinal)
		case !one.Reads():
			c.Failed++
		default:
			c.Stored++
		}
	}
	if c.Wanted == 0 {
		return nil, fmt.Errorf("dataset %s: the project holds none of its pictures: import it with them", o.Dataset)
	}
	return c, nil
}

// standing is what the model has said of the pictures. Captions that were made
// with other settings cannot be gone on with; imported ones can.
func (c *captioning) standing(ctx context.Context) (map[eval.Ordinal]eval.Caption, error) {
	hash, _ := judge.Hash(c.setup)
	out := make(map[eval.Ordinal]eval.Caption)
	for one, err := range c.lab.st.Captions().All(ctx, c.order.Dataset) {
		switch {
		case err != nil:
			return nil, err
		case one.Model != c.order.Model:
			continue
		case one.Reads() && one.Setup != hash && one.Setup != "":
			return nil, fmt.Errorf("captions by %s on %s %s\nCaptions of two kinds are never mixed. Give the model as it is now another name in concord.toml: [models.NAME] with model = %q",
				one.Model, c.order.Dataset, c.differs(one.Setup), c.setup.Name)
		}
		c.Usage.Add(one.Usage)
		old, known := out[one.Sample]
		if one.Reads() || one.Failure.Kind == eval.FailureSample && (!known || !old.Reads()) {
			out[one.Sample] = one
		}
	}
	return out, nil
}

// title is what messages call the job.
func (c *captioning) title() string { return "captions by " + visible(c.order.Model) }

func (c *captioning) asked() string { return c.order.Model }

func (c *captioning) fact() string { return "caption" }

func (c *captioning) on() []eval.Run { return nil }

func (c *captioning) sample(o eval.Ordinal) (eval.Sample, error) {
	return c.lab.st.Datasets().Sample(c.order.Dataset, o)
}

// captionTokens is a detailed description.
const captionTokens = 250

func (c *captioning) estimate() (eval.Estimate, error) {
	captioner, err := judge.NewCaptioner(c.means(nil))
	if err != nil {
		return eval.Estimate{}, err
	}
	return c.weigh(&c.Tally, len(c.due), captionTokens, func(i int) (eval.Sample, eval.Chat, error) {
		s, err := c.sample(c.due[i])
		if err != nil {
			return s, eval.Chat{}, err
		}
		chat, err := captioner.Chat(s, c.lab.st.Datasets().Picture)
		return s, chat, err
	})
}

// runner is what asks for the captions that are due.
func (c *captioning) runner(ctx context.Context, e effort) (*engine.Runner, error) {
	chatter, err := c.equip(ctx, e)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", c.asked(), err)
	}
	captioner, err := judge.NewCaptioner(c.means(chatter))
	if err != nil {
		return nil, err
	}
	st := c.lab.st
	return engine.NewCaptions(engine.Asking[eval.Sample]{
		Terms: c.lab.terms(e, c.asked()), Price: c.lab.price(c.asked()), Tally: c.Tally,
		Job: eval.Job{Dataset: c.order.Dataset, LeftOut: leftOut(c.missing)},
		Due: func(ctx context.Context) iter.Seq2[eval.Sample, error] { return each(ctx, c.due, c.sample) },
	}, captioner, st.Datasets().Picture, st.Captions())
}

// captionSummary is what became of a captioning order, as `concord caption`
// prints it.
type captionSummary struct {
	Dataset eval.DatasetName `json:"dataset"`
	Model   string           `json:"model"`
	errandSummary
}

// print says what became of a captioning order: one object for scripts, else a
// few lines.
func (c *captioning) print(p eval.Progress, ended error) error {
	s := captionSummary{c.order.Dataset, c.order.Model, errandSummaryOf(p, ended, &c.Tally, c.missing)}
	if c.lab.json {
		return c.lab.writeJSON(s)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "captions by %s on %s: %s\n%s", visible(s.Model), visible(string(s.Dataset)), s.done("caption"), s.calls("caption"))
	b.WriteString(s.omitted("sample"))
	b.WriteString(s.spent())
	_, err := fmt.Fprint(c.lab.out, b.String())
	return err
}

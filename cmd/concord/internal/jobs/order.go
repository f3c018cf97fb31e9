package jobs

import (
	"fmt"

	"github.com/spf13/pflag"

	"concord/cmd/concord/internal/cli"
	"concord/eval"
	"concord/eval/extract"
)

// Order is an evaluation as somebody asks for it: by the names that the
// project and the configuration know.
type Order struct {
	Dataset     eval.DatasetName
	Model       string
	Strategy    eval.Strategy
	Modality    eval.Modality
	AllPasses   bool
	Rules       string
	Language    string // "en", "zh", or "" for the question's own
	Shots       int
	ModelShots  bool   // as the model's configuration says, where worked examples go
	Exemplars   string // file of worked examples; "": drawn from the dataset
	Judges      []string
	Fallback    bool
	Seed        uint64
	Concurrency int  // 0: as configured
	New         bool // a new run, also where there is one with other settings
}

// OrderFlags are the flags that make an order.
type OrderFlags struct {
	Order
	dataset, strategy, modality string
	withoutImages               bool
	Budget                      Budget
}

// AddFlags adds the flags of an order to a command.
func (f *OrderFlags) AddFlags(fs *pflag.FlagSet) {
	fs.StringVar(&f.dataset, "dataset", "", "the dataset to answer (required)")
	fs.StringVar(&f.Model, "model", "", "the `name` of a model in the configuration, or of one that the endpoint serves (required)")
	fs.StringVar(&f.strategy, "strategy", "vanilla", "vanilla (each question once) or circular (every rotation of its options)")
	fs.StringVar(&f.modality, "modality", "image", "what the model is given: image, text (no image), grey (a gray image) or base (text only, for a language base)")
	fs.BoolVar(&f.withoutImages, "without-images", false, "ask as with images also what lacks an image that it has or names; the run counts as modality without-images")
	fs.BoolVar(&f.AllPasses, "all-passes", false, "circular: ask every pass, also after a wrong one")
	fs.StringVar(&f.Rules, "rules", extract.Default, "rule `set` that reads the answers, and so decides early stop")
	fs.StringVar(&f.Language, "language", "", "language of the prompts, en or zh (default: the question's own)")
	fs.IntVar(&f.Shots, "shots", 0, "worked examples before each question (default: with --modality base as the model's configuration says, else 0)")
	fs.StringVar(&f.Exemplars, "exemplars", "", "JSON lines `file` of worked examples (default: drawn from the dataset)")
	fs.StringSliceVar(&f.Judges, "judge", nil, "`name` of a model that reads what the rules cannot; repeatable, the first one decides early stop")
	fs.BoolVar(&f.Fallback, "fallback", false, "draw at random what the judge cannot read either (the third step of MMBench's protocol)")
	fs.Uint64Var(&f.Seed, "seed", 1, "seed of worked examples and of --fallback")
	f.addEffort(fs)
	fs.BoolVar(&f.New, "new", false, "start a new run although there is one with other settings")
}

// addEffort adds what changes no answer.
func (f *OrderFlags) addEffort(fs *pflag.FlagSet) {
	fs.IntVar(&f.Concurrency, "concurrency", 0, "questions asked concurrently (default: as configured)")
	f.Budget.AddFlag(fs, "the run")
}

// Budget is a flag for what a run may cost.
type Budget struct {
	flags *pflag.FlagSet
	most  float64
}

// AddFlag adds the flag to a command.
func (b *Budget) AddFlag(fs *pflag.FlagSet, of string) {
	b.flags = fs
	fs.Float64Var(&b.most, "budget", 0, "pause "+of+" at this cost (default: as configured; 0: never)")
}

// Read gives what was asked for; nil when nothing was.
func (b *Budget) Read() (*float64, error) {
	switch {
	case !b.flags.Changed("budget"):
		return nil, nil
	case !(b.most >= 0):
		return nil, cli.NewUsageError(fmt.Errorf("--budget %g: want 0 or more", b.most))
	}
	return &b.most, nil
}

// Read checks the flags and makes the order of them.
func (f *OrderFlags) Read() (Order, error) {
	o := f.Order
	o.Dataset = eval.DatasetName(f.dataset)
	var err error
	if o.Strategy, err = eval.ParseStrategy(f.strategy); err != nil {
		return o, cli.NewUsageError(err)
	}
	if o.Modality, err = eval.ParseModality(f.modality); err != nil {
		return o, cli.NewUsageError(err)
	}
	switch {
	case f.withoutImages && o.Modality != eval.WithImage && o.Modality != eval.WithoutImages:
		return o, cli.NewUsageError(fmt.Errorf("--without-images goes with --modality image: %s asks for no images of the samples", o.Modality))
	case f.withoutImages:
		o.Modality = eval.WithoutImages
	}
	if err := o.validate(); err != nil {
		return o, cli.NewUsageError(err)
	}
	o.ModelShots = !f.Budget.flags.Changed("shots")
	return o, nil
}

// validate names what does not go together.
func (o *Order) validate() error {
	switch {
	case o.AllPasses && o.Strategy != eval.Circular:
		return fmt.Errorf("--all-passes needs --strategy circular")
	case o.Shots < 0:
		return fmt.Errorf("--shots %d: want 0 or more", o.Shots)
	case o.Shots > 0 && o.Modality != eval.TextOnly && o.Modality != eval.BaseText:
		return fmt.Errorf("--shots goes with --modality text or base: worked examples have no images")
	case o.Exemplars != "" && o.Shots == 0:
		return fmt.Errorf("--exemplars needs --shots K, how many of the file's examples go before a question")
	case o.Fallback && len(o.Judges) == 0:
		return fmt.Errorf("--fallback draws what a judge cannot read: it needs --judge")
	case o.Concurrency < 0:
		return fmt.Errorf("--concurrency %d: want 0 or more", o.Concurrency)
	case o.Language != "" && o.Language != "en" && o.Language != "zh":
		return fmt.Errorf("--language %q: want en or zh", o.Language)
	}
	return nil
}

package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/doctor"
	"concord/cmd/concord/internal/exchange"
	"concord/cmd/concord/internal/facts"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/dataset"
	"concord/eval/extract"
	"concord/store"
	"concord/tui/endpoint"
	"concord/tui/importer"
)

// Importer is where the screen finds files to import. Without an open store it
// makes the project when something is imported, and not before.
type Importer struct {
	Project *project.Project
	Store   *store.Store
}

// shownRows is how many rows of a file are previewed: what a large screen has room for.
const shownRows = 40

// likely are the ends of the names of files that can be imported.
var likely = []string{".tsv", ".csv", ".xlsx", ".json", ".jsonl", ".parquet", ".eval"}

// ListFolder lists a folder.
func (b Importer) ListFolder(_ context.Context, path string) (importer.Folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return importer.Folder{}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return importer.Folder{}, fmt.Errorf("read folder: %w", err)
	}
	out := importer.Folder{Path: path}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		one := importer.Entry{Name: e.Name(), Folder: e.IsDir(), Likely: slices.Contains(likely, strings.ToLower(filepath.Ext(e.Name())))}
		if info, err := os.Stat(filepath.Join(path, e.Name())); err == nil { // links are followed
			one.Folder, one.Size, one.At = info.IsDir(), info.Size(), info.ModTime()
		}
		out.Entries = append(out.Entries, one)
	}
	slices.SortStableFunc(out.Entries, func(a, b importer.Entry) int {
		folders := cmp.Compare(eval.Either(a.Folder, 0, 1), eval.Either(b.Folder, 0, 1))
		return cmp.Or(folders, cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)))
	})
	return out, nil
}

// resolveTypedPath gives the path of a file of this machine as it is typed, pasted or dropped on a
// terminal: in quotes, as an address, from the home folder, or with blanks as a shell has them.
func resolveTypedPath(path string) string {
	path = strings.TrimSpace(path)
	if quoted, err := strconv.Unquote(strings.ReplaceAll(path, "'", `"`)); err == nil {
		path = quoted
	}
	if u, err := url.Parse(path); err == nil && u.Scheme == "file" {
		path = u.Path
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			path = filepath.Join(home, rest)
		}
	}
	if _, err := os.Stat(path); err != nil {
		path = strings.ReplaceAll(path, `\ `, " ")
	}
	return path
}

// PreviewFile reads the first rows of a file.
func (b Importer) PreviewFile(ctx context.Context, path string) (importer.Preview, error) {
	path = resolveTypedPath(path)
	p, err := dataset.PreviewFile(ctx, path, shownRows)
	if err != nil {
		return importer.Preview{}, err
	}
	out := importer.Preview{Path: path, Format: p.Format, Size: p.Size, Answers: p.HasAnswers(), Asks: p.HasQuestions(), Dataset: string(p.Dataset), Model: p.Model}
	for i := range p.Rows {
		out.Rows = append(out.Rows, newPreviewRow(&p.Rows[i]))
		out.Model = cmp.Or(out.Model, p.Rows[i].Model)
	}
	out.Problems = append(out.Problems, eval.Map(p.Problems, dataset.Problem.String)...)
	err = b.suggestDatasetAndModel(&p, &out)
	return out, err
}

func newPreviewRow(r *dataset.PreviewRow) importer.Row {
	options := eval.Map(r.Options, func(o eval.Option) string { return string(o.Letter) + " " + o.Text })
	return importer.Row{ID: r.ID, Question: r.Question, Options: strings.Join(options, ", "), Truth: r.Answer != "", Prediction: r.Prediction, Pictures: r.Pictures}
}

// suggestDatasetAndModel finds the project's dataset that a file of predictions is about, and
// the model, in the file's name: the kit calls it MODEL_DATASET.xlsx.
func (b Importer) suggestDatasetAndModel(p *dataset.Preview, out *importer.Preview) error {
	if b.Store == nil {
		return nil
	}
	all, err := b.Store.Datasets().List()
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(out.Path), filepath.Ext(out.Path))
	longest := 0
	for _, d := range all {
		at := indexIgnoringCase(base, string(d.Name))
		exact := strings.EqualFold(string(d.Name), string(p.Dataset))
		if !exact && (at < 0 || !out.Answers || p.Named || len(d.Name) <= longest) {
			continue
		}
		longest = len(d.Name)
		out.Dataset, out.Known = string(d.Name), true
		if out.Model == "" && at > 0 {
			out.Model = strings.Trim(base[:at], "_- ")
		}
		if exact {
			break
		}
	}
	return nil
}

// ImportFile brings a file in.
func (b Importer) ImportFile(ctx context.Context, o importer.Order, watch func(read, total int64)) (out importer.Outcome, err error) {
	keep := func(p dataset.Problem) {
		if out.Left++; out.Left <= cli.ShownProblems {
			out.Problems = append(out.Problems, p.String())
		}
	}
	do := func(st *store.Store) error {
		sum, err := b.importDatasetOrPredictions(ctx, st, o, dataset.Options{Name: eval.DatasetName(o.Dataset), Progress: watch, Skipped: keep})
		if err != nil {
			return err
		}
		out.Summary = exchange.DescribeImport(sum)
		out.Next = eval.Either(o.Answers,
			"The report ({a@runs}) has its accuracy now. {l@runs} on the screen of runs makes a queue of what the rules could not read, for people to label.",
			"{n@runs} on the screen of runs asks a model these questions; {i@runs} imports predictions that you have already.")
		return nil
	}
	if b.Store != nil {
		err = do(b.Store)
		return out, err
	}
	quiet := *b.Project
	quiet.Streams = cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	err = quiet.WriteStore(ctx, true, do)
	return out, err
}

// indexIgnoringCase is where a name stands in a text, whatever the case of its letters;
// -1 when it does not.
func indexIgnoringCase(text, name string) int {
	for i := range text {
		if len(text)-i >= len(name) && strings.EqualFold(text[i:i+len(name)], name) {
			return i
		}
	}
	return -1
}

func (b Importer) importDatasetOrPredictions(ctx context.Context, st *store.Store, o importer.Order, opt dataset.Options) (dataset.Summary, error) {
	if !o.Answers {
		return dataset.Import(ctx, st.Datasets(), o.Path, opt)
	}
	reader, err := facts.FindRules(extract.Default)
	if err != nil {
		return dataset.Summary{}, err
	}
	return dataset.ImportPredictions(ctx, exchange.PredictionSink{Datasets: st.Datasets(), Runs: st.Runs(), Judgments: st.Judgments()}, o.Path, dataset.PredictionOptions{
		Options: opt, Dataset: opt.Name, Model: o.Model, Modality: eval.WithImage, Reader: reader, Now: b.Project.Now,
	})
}

// DiagnoseConfig looks after the configuration and its endpoints.
func (b Importer) DiagnoseConfig(ctx context.Context) ([]importer.Finding, error) {
	var all doctor.Findings
	if c := doctor.CheckConfig(b.Project, &all); c != nil {
		doctor.CheckEndpoints(ctx, c, &all)
	}
	out := make([]importer.Finding, len(all))
	for i, f := range all {
		out[i] = importer.Finding{Check: f.Check, Verdict: f.Verdict.String(), Text: f.Finding, Advice: f.Advice, Good: f.Verdict == doctor.HealthOK}
	}
	return out, ctx.Err()
}

// Endpoints makes models known from the screen: it has servers list them, and
// writes what was chosen into the configuration beside the project.
type Endpoints struct{ Project *project.Project }

// ListServers lists those of the configuration, and the usual ones.
func (c Endpoints) ListServers(context.Context) ([]endpoint.Server, error) {
	out := []endpoint.Server{
		{Name: "openai", URL: "https://api.openai.com/v1", KeyEnv: config.OpenAIKey},
		{Name: "vllm", URL: "http://localhost:8000/v1"},
		{Name: "ollama", URL: "http://localhost:11434/v1"},
		{Name: "llamacpp", URL: "http://localhost:8080/v1"},
		{Name: "other"},
	}
	conf, err := c.Project.LoadConfig()
	if err != nil {
		return out, err
	}
	var known []endpoint.Server
	for _, e := range conf.Endpoints() {
		known = append(known, endpoint.Server{Name: e.Name, URL: e.BaseURL, KeyEnv: e.KeyEnv})
		out = slices.DeleteFunc(out, func(s endpoint.Server) bool { return s.Name == e.Name })
	}
	return append(known, out...), nil
}

func newConnection(s endpoint.Server, models []string) config.Connection {
	return config.Connection{Endpoint: s.Name, BaseURL: s.URL, KeyEnv: s.KeyEnv, Models: models}
}

// ListModels has a server list its models, as the configuration would ask it once it is written down. What
// a file that is not trusted names is not asked with a key, since it was the file that filled in the form.
func (c Endpoints) ListModels(ctx context.Context, s endpoint.Server) ([]string, error) {
	if err := c.whyKeyHeld(s); err != nil {
		return nil, err
	}
	text, _, err := config.AppendConnection(nil, newConnection(s, nil))
	if err != nil {
		return nil, err
	}
	conf, err := config.Load(config.Options{Base: text})
	if err != nil {
		return nil, err
	}
	e, ok := conf.Endpoint(s.Name)
	if !ok {
		return nil, fmt.Errorf("server %q is not known", s.Name)
	}
	client, err := jobs.NewEndpoints(conf).FindEndpoint(s.Name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, doctor.EndpointLimit)
	defer cancel()
	models, err := client.ListModels(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("no answer within %v: start the server, or correct the address", doctor.EndpointLimit)
	case err != nil:
		_, advice := doctor.AdviseOnEndpoint(e, "the address", err)
		return nil, fmt.Errorf("%s: %s", doctor.FormatEndpointError(e, err), advice)
	}
	return models, nil
}

// whyKeyHeld is why a server that the configuration names is not sent its key.
func (c Endpoints) whyKeyHeld(s endpoint.Server) error {
	conf, err := c.Project.LoadConfig()
	if err != nil {
		return nil //nolint:nilerr // what cannot be read has filled in nothing
	}
	for _, e := range conf.Endpoints() {
		if e.BaseURL == strings.TrimRight(s.URL, "/") && e.KeyEnv == s.KeyEnv && e.KeyEnv != "" {
			if _, err := conf.EndpointAPIKey(e); errors.Is(err, config.ErrUntrusted) || errors.Is(err, config.ErrPlainHTTP) {
				return err
			}
		}
	}
	return nil
}

// AddServerToConfig puts the server and its models into concord.toml beside the project.
func (c Endpoints) AddServerToConfig(_ context.Context, s endpoint.Server, models []string) (string, error) {
	path := filepath.Join(filepath.Dir(c.Project.Path), config.ProjectFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read config: %w", err)
	}
	var before []config.Sending
	if conf, err := c.Project.LoadConfig(); err == nil {
		before = config.FindSendings(conf)
	}
	text, names, err := config.AppendConnection(old, newConnection(s, models))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("write config: %w", err)
	}
	f, err := cli.CreateOutFile(path, c.Project.Path)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err := f.CommitOrRemove(err); err != nil {
		return "", fmt.Errorf("write config: %w", err)
	}
	if conf, err := c.Project.LoadConfig(); err == nil { // what was just written is what was wanted
		added := slices.DeleteFunc(config.FindSendings(conf), func(s config.Sending) bool { return slices.Contains(before, s) })
		if err := c.Project.TrustFile().TrustSendings(added...); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s can be asked now (%s)", strings.Join(names, ", "), path), nil
}

package jobs

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/project"
	"concord/eval"
	"concord/eval/bound"
	"concord/eval/openai"
	"concord/eval/prompt"
	"concord/store"
)

// Factory is what evaluations are made of: the project, the configuration, and
// the endpoints that all runs of this process share.
//
//	order --configure--> eval.Config --open--> eval.Run --plan--> engine.Plan --> Running or runToEnd
type Factory struct {
	*project.Project
	Store     *store.Store
	Conf      *config.Config
	Endpoints *Endpoints
	Watched   bool   // somebody sees the jobs' state: a host without an address is waited for
	base      []byte // configuration below that of files

	mu      sync.Mutex
	surveys map[eval.DatasetName]datasetFacts
}

// NewFactory reads the configuration. Nothing is asked of an endpoint yet.
func NewFactory(a *project.Project, st *store.Store) (*Factory, error) {
	return NewFactoryWith(a, st, nil, nil)
}

// NewFactoryWith is newLab with a configuration below those of files, and with
// transports by the address of the endpoint that they reach.
func NewFactoryWith(a *project.Project, st *store.Store, base []byte, transports map[string]http.RoundTripper) (*Factory, error) {
	places := a.ConfigPlaces()
	places.Base = base
	conf, err := config.Load(places)
	if err != nil {
		return nil, err
	}
	p := NewEndpoints(conf)
	p.transports = transports
	return &Factory{Project: a, Store: st, Conf: conf, Endpoints: p, base: base, surveys: make(map[eval.DatasetName]datasetFacts)}, nil
}

// Prompts are the templates of today: ours, and those that files replace.
func (l *Factory) Prompts() (*prompt.Set, error) {
	files := l.Conf.Prompts()
	overrides := make(map[string]string)
	for name, path := range files {
		text, err := ReadPrompt(path)
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w (the path is relative to the config file)", name, err)
		}
		if _, err := prompt.Load(map[string]string{name: text}); err != nil {
			return nil, fmt.Errorf("prompt %s, %s: %w (concord's own to begin with: concord config prompt)", name, path, err)
		}
		overrides[name] = text
	}
	return prompt.Load(overrides)
}

// promptsOf are the templates that a run or a judge was set up with, as they
// were then.
func (l *Factory) promptsOf(refs []eval.PromptRef) (*prompt.Set, error) {
	overrides := make(map[string]string, len(refs))
	for _, r := range refs {
		text, err := l.Store.Texts().Text(r.Hash)
		if err != nil {
			return nil, fmt.Errorf("prompt %s/%s: %w", r.Name, r.Language, err)
		}
		overrides[r.Name+"/"+r.Language] = string(text)
	}
	return prompt.Load(overrides)
}

// keepPrompts stores the texts behind the references.
func (l *Factory) keepPrompts(ctx context.Context, set *prompt.Set, refs []eval.PromptRef) error {
	for _, r := range refs {
		text, ok := set.Text(r.Name, r.Language)
		if !ok {
			return fmt.Errorf("prompt %s/%s: %w", r.Name, r.Language, eval.ErrNotFound)
		}
		if _, err := l.Store.Texts().Put(ctx, text.Text); err != nil {
			return fmt.Errorf("keep prompt %s: %w", r.Name, err)
		}
	}
	return nil
}

// chatter is a model of the endpoint with that address, under these
// parameters; called is what the configuration calls the model. The endpoint
// is found by its address, so that a run goes on with its own settings
// whatever the configuration calls it today.
func (l *Factory) chatter(called, url, name, params string, edge int) (*openai.Model, error) {
	at, ok := l.endpointAt(called, url)
	if !ok {
		return nil, config.Problem{Text: fmt.Sprintf("no endpoint with the address %s is configured: add it to concord.toml (see: concord config)", url)}
	}
	endpoint, err := l.Endpoints.Endpoint(at)
	if err != nil {
		return nil, err
	}
	return endpoint.Model(openai.ModelOptions{
		Name: name, Params: []byte(params), Edge: edge, Stream: l.streams(url, name),
	})
}

// endpointAt names the endpoint with that address. Several may have it, with
// keys and limits of their own: the model's goes before the others.
func (l *Factory) endpointAt(called, url string) (name string, ok bool) {
	if m, err := l.Conf.Model(called); err == nil && m.Endpoint.BaseURL == url {
		return m.Endpoint.Name, true
	}
	for _, e := range l.Conf.Endpoints() {
		if e.BaseURL == url {
			return e.Name, true
		}
	}
	return "", false
}

// streams reports whether a model is configured to stream its answers, which
// changes nothing about them.
func (l *Factory) streams(url, name string) bool {
	for _, m := range l.Conf.Models() {
		if m.Endpoint.BaseURL == url && m.Wire == name {
			return m.Stream
		}
	}
	return false
}

// price is what a model costs by today's configuration.
func (l *Factory) price(model string) eval.Price {
	m, err := l.Conf.Model(model)
	if err != nil {
		return eval.Price{}
	}
	return m.Price
}

// LogGrowth logs what a growing queue could not enrol.
func (l *Factory) LogGrowth(err error) {
	if err != nil {
		l.Log.Error("grow queue", "err", err)
	}
}

// ReadPrompt reads a prompt's file, up to the length that a prompt may have.
func ReadPrompt(path string) (string, error) {
	text, err := bound.ReadFile(path, bound.Text)
	if err != nil {
		return "", fmt.Errorf("read prompt: %w", err)
	}
	return string(text), nil
}

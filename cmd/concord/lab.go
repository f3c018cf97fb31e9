package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"concord/cmd/concord/config"
	"concord/eval"
	"concord/eval/openai"
	"concord/eval/prompt"
	"concord/store"
)

// lab is what evaluations are made of: the project, the configuration, and
// the endpoints that all runs of this process share.
//
//	order --configure--> eval.Config --open--> eval.Run --plan--> engine.Plan --> live or follow
type lab struct {
	*app
	st   *store.Store
	conf *config.Config
	pool *pool
	base []byte // configuration below that of files

	mu      sync.Mutex
	surveys map[eval.DatasetName]survey
}

// newLab reads the configuration. Nothing is asked of an endpoint yet.
func newLab(a *app, st *store.Store) (*lab, error) { return newLabWith(a, st, nil, nil) }

// newLabWith is newLab with a configuration below those of files, and with
// transports by the address of the endpoint that they reach.
func newLabWith(a *app, st *store.Store, base []byte, transports map[string]http.RoundTripper) (*lab, error) {
	places := a.configPlaces()
	places.Base = base
	conf, err := config.Load(places)
	if err != nil {
		return nil, err
	}
	p := newPool(conf)
	p.transports = transports
	return &lab{app: a, st: st, conf: conf, pool: p, base: base, surveys: make(map[eval.DatasetName]survey)}, nil
}

// prompts are the templates of today: ours, and those that files replace.
func (l *lab) prompts() (*prompt.Set, error) {
	files := l.conf.Prompts()
	overrides := make(map[string]string)
	for name, path := range files {
		text, err := readPrompt(path)
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
func (l *lab) promptsOf(refs []eval.PromptRef) (*prompt.Set, error) {
	overrides := make(map[string]string, len(refs))
	for _, r := range refs {
		text, err := l.st.Texts().Text(r.Hash)
		if err != nil {
			return nil, fmt.Errorf("prompt %s/%s: %w", r.Name, r.Language, err)
		}
		overrides[r.Name+"/"+r.Language] = string(text)
	}
	return prompt.Load(overrides)
}

// keepPrompts stores the texts behind the references.
func (l *lab) keepPrompts(ctx context.Context, set *prompt.Set, refs []eval.PromptRef) error {
	for _, r := range refs {
		text, ok := set.Text(r.Name, r.Language)
		if !ok {
			return fmt.Errorf("prompt %s/%s: %w", r.Name, r.Language, eval.ErrNotFound)
		}
		if _, err := l.st.Texts().Put(ctx, text.Text); err != nil {
			return fmt.Errorf("keep prompt %s: %w", r.Name, err)
		}
	}
	return nil
}

// chatter is a model of the endpoint with that address, under these
// parameters; called is what the configuration calls the model. The endpoint
// is found by its address, so that a run goes on with its own settings
// whatever the configuration calls it today.
func (l *lab) chatter(called, url, name, params string, edge int) (*openai.Model, error) {
	at, ok := l.endpointAt(called, url)
	if !ok {
		return nil, config.Problem{Text: fmt.Sprintf("no endpoint with the address %s is configured: add it to concord.toml (see: concord config)", url)}
	}
	endpoint, err := l.pool.endpoint(at)
	if err != nil {
		return nil, err
	}
	return endpoint.Model(openai.ModelOptions{
		Name: name, Params: []byte(params), Edge: edge, Stream: l.streams(url, name),
	})
}

// endpointAt names the endpoint with that address. Several may have it, with
// keys and limits of their own: the model's goes before the others.
func (l *lab) endpointAt(called, url string) (name string, ok bool) {
	if m, err := l.conf.Model(called); err == nil && m.Endpoint.BaseURL == url {
		return m.Endpoint.Name, true
	}
	for _, e := range l.conf.Endpoints() {
		if e.BaseURL == url {
			return e.Name, true
		}
	}
	return "", false
}

// streams reports whether a model is configured to stream its answers, which
// changes nothing about them.
func (l *lab) streams(url, name string) bool {
	for _, m := range l.conf.Models() {
		if m.Endpoint.BaseURL == url && m.Wire == name {
			return m.Stream
		}
	}
	return false
}

// price is what a model costs by today's configuration.
func (l *lab) price(model string) eval.Price {
	m, err := l.conf.Model(model)
	if err != nil {
		return eval.Price{}
	}
	return m.Price
}

// heard logs what a growing queue could not enrol.
func (l *lab) heard(err error) {
	if err != nil {
		l.log.Error("grow queue", "err", err)
	}
}

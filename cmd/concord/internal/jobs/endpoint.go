package jobs

import (
	"fmt"
	"net/http"
	"sync"

	"concord/cmd/concord/internal/config"
	"concord/eval/openai"
)

// Endpoints makes the endpoints that the configuration names, each one once: its
// limits hold for all runs and judges of the process together.
type Endpoints struct {
	Config     *config.Config
	transports map[string]http.RoundTripper // by base URL; others get one of their own

	mu   sync.Mutex
	made map[string]*openai.Endpoint
}

// NewEndpoints makes no endpoint yet: each is made when it is first asked for.
func NewEndpoints(c *config.Config) *Endpoints {
	return &Endpoints{Config: c, made: make(map[string]*openai.Endpoint)}
}

// Endpoint is the endpoint of that name, with its key from the environment as
// it was when the endpoint was first asked for.
func (p *Endpoints) Endpoint(name string) (*openai.Endpoint, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.made[name]; e != nil {
		return e, nil
	}
	of, ok := p.Config.Endpoint(name)
	if !ok {
		return nil, config.Problem{Text: fmt.Sprintf("there is no endpoint %q", name)}
	}
	key, err := p.Config.Key(of)
	if err != nil {
		return nil, err
	}
	e, err := openai.NewEndpoint(openai.Options{
		Name: of.Name, BaseURL: of.BaseURL, Transport: p.transports[of.BaseURL], Key: key, KeyName: of.KeyEnv, Timeout: of.Timeout,
		Limits: openai.Limits{
			RequestsPerMinute: of.RequestsPerMinute, TokensPerMinute: of.TokensPerMinute, Concurrency: of.Concurrency,
		},
	})
	if err != nil {
		return nil, err
	}
	p.made[name] = e
	return e, nil
}

// keep takes over the endpoints of another pool that are configured as there:
// their limits go on to hold for whoever asks them.
func (p *Endpoints) keep(old *Endpoints) {
	old.mu.Lock()
	defer old.mu.Unlock()
	for name, e := range old.made {
		was, _ := old.Config.Endpoint(name)
		if is, ok := p.Config.Endpoint(name); ok && is == was {
			p.made[name] = e
		}
	}
}

package jobs

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"concord/cmd/concord/internal/config"
	"concord/eval"
	"concord/eval/openai"
	"concord/tui/job"
)

// Models makes the configured models ready to be asked, and knows their prices and retries.
type Models struct {
	Conf      *config.Config
	Endpoints *Endpoints
}

// Choices are the models of the configuration, for forms.
func (ms *Models) Choices() []job.ModelChoice {
	return eval.Map(ms.Conf.Models(), func(m config.Model) job.ModelChoice {
		c := job.ModelChoice{Name: m.Name, Endpoint: m.Endpoint.BaseURL, Price: m.Price}
		if _, err := ms.Conf.EndpointAPIKey(m.Endpoint); err != nil {
			c.Why = err.Error()
		}
		return c
	})
}

// newChatter gives a model of the endpoint with that address, under these parameters; called is
// the name of the model in the configuration. The endpoint is found by its address, so that a
// run continues under its own settings whatever the configuration calls it today.
func (ms *Models) newChatter(called, url, name, params string, edge int) (*openai.Model, error) {
	return ms.newModelOfEndpoint(called, url, openai.ModelOptions{Name: name, Params: []byte(params), Edge: edge})
}

// newJudgeChatter gives the model that a judge asks, which tells how sure it is where it is configured to.
func (ms *Models) newJudgeChatter(s eval.JudgeSetup) (*openai.Model, error) {
	m, err := ms.newModelOfEndpoint(s.Judge, s.Endpoint, openai.ModelOptions{
		Name: s.Name, Params: []byte(s.Params), LogProbs: ms.findConfiguredModel(s.Judge, s.Endpoint, s.Name).LogProbs,
	})
	return m, eval.WrapError(err, "judge %s", s.Judge)
}

func (ms *Models) newModelOfEndpoint(called, url string, o openai.ModelOptions) (*openai.Model, error) {
	at, ok := ms.findEndpointByURL(called, url)
	if !ok {
		return nil, config.Problem{Text: fmt.Sprintf("no endpoint with the address %s is configured: add it to concord.toml (see: concord config)", url)}
	}
	endpoint, err := ms.Endpoints.FindEndpoint(at)
	if err != nil {
		return nil, err
	}
	o.Stream = ms.findConfiguredModel(called, url, o.Name).Stream
	return endpoint.NewModel(o)
}

// findEndpointByURL names the endpoint with that address. Several may have it, with
// keys and limits of their own: the model's goes before the others.
func (ms *Models) findEndpointByURL(called, url string) (name string, ok bool) {
	if m, err := ms.Conf.Model(called); err == nil && (m.Endpoint.BaseURL == url || url == "") {
		return m.Endpoint.Name, true
	}
	e, ok := eval.FirstWanted(ms.Conf.Endpoints(), func(e config.Endpoint) bool { return e.BaseURL == url })
	return e.Name, ok
}

// findConfiguredModel gives the model of an endpoint in today's configuration, for settings that
// change nothing about its answers. The one that is called so goes before others.
func (ms *Models) findConfiguredModel(called, url, name string) config.Model {
	is := func(m config.Model) bool { return (m.Endpoint.BaseURL == url || url == "") && m.Wire == name }
	if m, err := ms.Conf.Model(called); err == nil && is(m) {
		return m
	}
	m, _ := eval.FirstWanted(ms.Conf.Models(), is)
	return m
}

// priceOf gives a model's price in today's configuration; that of an unknown one is not known.
func (ms *Models) priceOf(model string) eval.Price {
	m, _ := ms.Conf.Model(model)
	return m.Price
}

// RequirePricesForBudget refuses a budget that nothing can be held against, before it leaves a run behind.
// One that is configured for all runs is none for those whose prices are not known.
func (ms *Models) RequirePricesForBudget(budget *float64, names []string) error {
	if budget == nil || *budget <= 0 {
		return nil
	}
	if unknown := ms.joinUnpricedModels(names); unknown != "" {
		return fmt.Errorf("a budget needs prices, and none is known of %s: set price_prompt and price_completion in concord.toml", unknown)
	}
	return nil
}

// joinUnpricedModels names those of the models and judges whose price is not known.
func (ms *Models) joinUnpricedModels(names []string) string {
	unknown := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return ms.priceOf(n).IsKnown() })
	return strings.Join(unknown, ", ")
}

// maxRetries gives the largest number of retries that one of the models has.
func (ms *Models) maxRetries(names []string) int {
	most := 0
	for _, name := range names {
		m, _ := ms.Conf.Model(name) // its endpoint may be a worker's
		most = max(most, m.Retries)
	}
	return most
}

// checkReachable checks, without a call, that a run can be asked and judged: a key
// that is not set must not leave a run behind.
func (ms *Models) checkReachable(c eval.Config) error {
	s := c.Settings
	if s.Endpoint != "" { // else workers are asked
		if _, err := ms.newChatter(c.Model, s.Endpoint, s.Name, s.Params, s.Edge); err != nil {
			return fmt.Errorf("model %s: %w", c.Model, err)
		}
	}
	return eval.Each(s.Judges, func(j eval.JudgeSetup) error {
		_, err := ms.newJudgeChatter(j)
		return err
	})
}

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

// FindEndpoint finds the endpoint of that name, with its key from the environment as
// it was when the endpoint was first asked for.
func (p *Endpoints) FindEndpoint(name string) (*openai.Endpoint, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.made[name]; e != nil {
		return e, nil
	}
	of, ok := p.Config.Endpoint(name)
	if !ok {
		return nil, config.Problem{Text: fmt.Sprintf("there is no endpoint %q", name)}
	}
	key, err := p.Config.EndpointAPIKey(of)
	if err != nil {
		return nil, err
	}
	headers, query := config.EndpointHeadersAndQuery(p.Config, of)
	e, err := openai.NewEndpoint(openai.Options{
		Headers: headers, Query: query, Name: of.Name, BaseURL: of.BaseURL, Transport: p.transports[of.BaseURL], Key: key, KeyName: of.KeyEnv, Timeout: of.Timeout, MaxRequest: of.MaxRequest, Responses: of.API == config.ResponsesAPI,
		Limits: openai.Limits{RequestsPerMinute: of.RequestsPerMinute, TokensPerMinute: of.TokensPerMinute, Concurrency: of.Concurrency},
	})
	if err != nil {
		return nil, err
	}
	p.made[name] = e
	return e, nil
}

// takeOverEndpoints takes over the endpoints of another pool that are configured as there:
// their limits go on to hold for whoever asks them.
func (p *Endpoints) takeOverEndpoints(old *Endpoints) {
	old.mu.Lock()
	defer old.mu.Unlock()
	for name, e := range old.made {
		was, _ := old.Config.Endpoint(name)
		if is, ok := p.Config.Endpoint(name); ok && is == was {
			p.made[name] = e
		}
	}
}

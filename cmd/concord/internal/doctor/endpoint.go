package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/jobs"
	"concord/eval"
)

// EndpointLimit is how long an endpoint may take to list its models.
const EndpointLimit = 8 * time.Second

// CheckEndpoints has every endpoint list its models, all at once.
func CheckEndpoints(ctx context.Context, c *config.Config, all *Findings) {
	endpoints := c.Endpoints()
	if len(endpoints) == 0 {
		all.look("endpoint", "set OPENAI_API_KEY or OPENAI_BASE_URL, or define one: concord config init", "no endpoint is known: no model can be asked")
		return
	}
	p := jobs.NewEndpoints(c)
	rows := make([]Findings, len(endpoints))
	var wg sync.WaitGroup
	for i, e := range endpoints {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, EndpointLimit)
			defer cancel()
			checkEndpoint(ctx, p, e, &rows[i])
		})
	}
	wg.Wait()
	*all = append(*all, slices.Concat(rows...)...)
}

func checkEndpoint(ctx context.Context, p *jobs.Endpoints, e config.Endpoint, out *Findings) {
	check := "endpoint " + e.Name
	checkAddress(p.Config, e, check, out)
	where := addressPlace(p.Config, e)
	client, err := p.Endpoint(e.Name)
	if err != nil {
		advice := "correct " + where
		switch {
		case errors.Is(err, config.ErrUntrusted):
			advice = "look at what it sends where, and trust it: concord config trust"
		case errors.Is(err, config.ErrPlainHTTP):
			advice = "use https or a tunnel, or write insecure = true where the network is trusted"
		case cli.IsConfigError(err) && e.KeyEnv != "":
			advice = "set the variable in the shell that starts concord: export " + e.KeyEnv + "=..."
		}
		out.broken(check, advice, "%v", err)
		return
	}
	start := time.Now()
	listed, err := client.Models(ctx)
	if err != nil && ctx.Err() != nil {
		out.broken(check, "start the server, or correct "+where, "no answer within %v", EndpointLimit)
		return
	}
	if err != nil {
		v, advice := AdviceOnEndpoint(e, where, err)
		*out = append(*out, finding{check, v, MessageOf(e, err), advice})
		return
	}
	took := time.Since(start).Round(time.Millisecond)
	out.ok(check, "%s lists %s in %v", e.BaseURL, cli.Counted(len(listed), "model", "models"), took)
	for _, m := range p.Config.Models() {
		if m.Endpoint.Name == e.Name && len(listed) > 0 && !slices.Contains(listed, m.Wire) {
			out.look("model "+m.Name, "compare its model with the names that the endpoint lists: "+cli.Few(cli.NearestFirst(m.Wire, listed)),
				"endpoint %s does not list %s", e.Name, m.Wire)
		}
	}
}

// checkAddress looks at where a key would be sent.
func checkAddress(c *config.Config, e config.Endpoint, check string, out *Findings) {
	if e.KeyEnv == "" {
		return
	}
	if u, err := url.Parse(e.BaseURL); err == nil && u.Scheme == "http" && !local(u.Hostname()) {
		if key, err := c.Key(e); err == nil && key != "" {
			out.look(check, "use https, or a tunnel", "the key in %s travels unencrypted to %s", e.KeyEnv, u.Host)
		}
	}
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate()) || strings.HasSuffix(host, ".localhost")
}

var version = regexp.MustCompile(`/v\d[^/]*(/|$)`)

// AdviceOnEndpoint is what an error of listing models comes to. Some servers
// chat and list nothing.
func AdviceOnEndpoint(e config.Endpoint, where string, err error) (health, string) {
	f := eval.FailureOf(err)
	absent := f.Status == http.StatusNotFound || f.Status == http.StatusMethodNotAllowed
	noList := f.Status == 0 && (f.Kind != eval.FailureTransient || f.Sign == eval.SignUnusable) // it answered, with something else
	switch {
	case (absent || noList) && !version.MatchString(e.BaseURL):
		return healthBroken, "a base URL mostly ends in /v1: try " + e.BaseURL + "/v1"
	case absent:
		return healthLook, "the server lists no models; it may chat all the same"
	case noList:
		return healthBroken, "what answers at " + e.BaseURL + " does not speak the format: correct " + where
	case f.Status == http.StatusUnauthorized && e.KeyEnv == "":
		return healthBroken, "the server wants a key: name its variable in api_key_env"
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden:
		return healthBroken, "check the key in " + e.KeyEnv
	case f.Status == http.StatusTooManyRequests:
		return healthLook, "try again later"
	case f.Status == 0:
		return healthBroken, "start the server, or correct " + where
	}
	return healthBroken, "look into the server's own log"
}

// MessageOf is an error in the doctor's words: without the endpoint's name,
// and without the advice of concord eval to ask the doctor.
func MessageOf(e config.Endpoint, err error) string {
	f := eval.FailureOf(err)
	if f.Status == http.StatusNotFound || f.Status == http.StatusMethodNotAllowed {
		return fmt.Sprintf("GET %s/models: HTTP status %d", e.BaseURL, f.Status)
	}
	return strings.TrimPrefix(f.Message, "endpoint "+strconv.Quote(e.Name)+": ")
}

// addressPlace is where an endpoint's address is set, with the address.
func addressPlace(c *config.Config, e config.Endpoint) string {
	name := "base_url"
	if o := c.Origin(e, "base_url"); o.Source == config.Environment {
		name = o.Name
	}
	return name + " (" + e.BaseURL + ")"
}

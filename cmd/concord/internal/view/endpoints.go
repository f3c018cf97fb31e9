package view

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
	"concord/cmd/concord/internal/doctor"
	"concord/cmd/concord/internal/jobs"
	"concord/cmd/concord/internal/project"
	"concord/tui/endpoint"
)

// Endpoints makes models known from the screen: it has servers list them, and
// writes what was chosen into the configuration beside the project.
type Endpoints struct{ Project *project.Project }

var _ endpoint.Source = Endpoints{}

// ListServers lists those of the configuration, and the usual ones.
func (c Endpoints) ListServers(context.Context) ([]endpoint.Server, error) {
	out := []endpoint.Server{
		{Name: "openai", URL: "https://api.openai.com/v1", KeyEnv: config.OpenAIKey},
		{Name: "vllm", URL: "http://localhost:8000/v1"},
		{Name: "ollama", URL: "http://localhost:11434/v1"},
		{Name: "llamacpp", URL: "http://localhost:8080/v1"},
		{Name: "other"},
	}
	conf, err := c.Project.Config()
	if err != nil {
		return out, err
	}
	var known []endpoint.Server
	for _, e := range conf.Endpoints() {
		known = append(known, endpoint.Server{Name: e.Name, URL: e.BaseURL, KeyEnv: e.KeyEnv})
		for i := range out {
			if out[i].Name == e.Name {
				out = append(out[:i], out[i+1:]...)
				break
			}
		}
	}
	return append(known, out...), nil
}

func newConnection(s endpoint.Server, models []string) config.Connection {
	return config.Connection{Endpoint: s.Name, BaseURL: s.URL, KeyEnv: s.KeyEnv, Models: models}
}

// ListModels has a server list its models, as the configuration would ask it once it
// is written down. What a file that is not trusted names is not asked with a key,
// since it was the file that filled in the form.
func (c Endpoints) ListModels(ctx context.Context, s endpoint.Server) ([]string, error) {
	if err := c.whyKeyHeld(s); err != nil {
		return nil, err
	}
	text, _, err := config.AddConnection(nil, newConnection(s, nil))
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
	conf, err := c.Project.Config()
	if err != nil {
		return nil //nolint:nilerr // what cannot be read has filled in nothing
	}
	for _, e := range conf.Endpoints() {
		if e.BaseURL == strings.TrimRight(s.URL, "/") && e.KeyEnv == s.KeyEnv && e.KeyEnv != "" {
			if _, err := conf.EndpointKey(e); errors.Is(err, config.ErrUntrusted) || errors.Is(err, config.ErrPlainHTTP) {
				return err
			}
		}
	}
	return nil
}

// Write puts the server and its models into concord.toml beside the project.
func (c Endpoints) Write(_ context.Context, s endpoint.Server, models []string) (string, error) {
	path := filepath.Join(filepath.Dir(c.Project.Path), config.ProjectFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read config: %w", err)
	}
	var before []config.Sending
	if conf, err := c.Project.Config(); err == nil {
		before = config.FindSendings(conf)
	}
	text, names, err := config.AddConnection(old, newConnection(s, models))
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("write config: %w", err)
	}
	f, err := cli.CreateOut(path, c.Project.Path)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err := f.Finish(err); err != nil {
		return "", fmt.Errorf("write config: %w", err)
	}
	if conf, err := c.Project.Config(); err == nil { // what was just written is what was wanted
		added := slices.DeleteFunc(config.FindSendings(conf), func(s config.Sending) bool { return slices.Contains(before, s) })
		if err := c.Project.Trust().TrustSendings(added...); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("%s can be asked now (%s)", strings.Join(names, ", "), path), nil
}

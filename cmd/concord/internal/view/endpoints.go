package view

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

// Servers are those of the configuration, and the usual ones.
func (c Endpoints) Servers(context.Context) ([]endpoint.Server, error) {
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

func connectionOf(s endpoint.Server, models []string) config.Connection {
	return config.Connection{Endpoint: s.Name, BaseURL: s.URL, KeyEnv: s.KeyEnv, Models: models}
}

// List has a server list its models, as the configuration would ask it once it
// is written down.
func (c Endpoints) List(ctx context.Context, s endpoint.Server) ([]string, error) {
	text, _, err := config.Add(nil, connectionOf(s, nil))
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
	client, err := jobs.NewEndpoints(conf).Endpoint(s.Name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, doctor.EndpointLimit)
	defer cancel()
	models, err := client.Models(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("no answer within %v: start the server, or correct the address", doctor.EndpointLimit)
	case err != nil:
		_, advice := doctor.AdviceOnEndpoint(e, "the address", err)
		return nil, fmt.Errorf("%s: %s", doctor.MessageOf(e, err), advice)
	}
	return models, nil
}

// Write puts the server and its models into concord.toml beside the project.
func (c Endpoints) Write(_ context.Context, s endpoint.Server, models []string) (string, error) {
	path := filepath.Join(filepath.Dir(c.Project.Path), config.ProjectFile)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read config: %w", err)
	}
	text, names, err := config.Add(old, connectionOf(s, models))
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
	return fmt.Sprintf("%s can be asked now (%s)", strings.Join(names, ", "), path), nil
}

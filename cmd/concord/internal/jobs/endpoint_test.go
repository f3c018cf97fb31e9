package jobs

import (
	"testing"

	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/config"
)

func TestPoolMakesEachEndpointOnce(t *testing.T) {
	c, err := config.Load(config.Options{Env: func(name string) (string, bool) {
		return map[string]string{config.OpenAIKey: "sk-abc"}[name], true
	}})
	if err != nil {
		t.Fatal(err)
	}
	p := NewEndpoints(c)
	for _, name := range []string{"a", "b"} {
		m, err := c.Model(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.FindEndpoint(m.Endpoint.Name); err != nil {
			t.Error(err)
		}
	}
	if len(p.made) != 1 {
		t.Errorf("%d endpoints for one name", len(p.made))
	}
	if _, err := p.FindEndpoint("none"); !cli.IsConfigError(err) {
		t.Errorf("unknown endpoint: %v", err)
	}
}

package config

import (
	"strings"
	"testing"
)

// What is added reads as it was meant, beside what stood there; adding it
// again adds nothing.
func TestAddKeepsWhatIsThere(t *testing.T) {
	const old = "# mine\n[endpoints.vllm]\nbase_url = \"http://other:1/v1\"\n[models.llava]\nendpoint = \"vllm\""
	c := Connection{Endpoint: "vllm", BaseURL: "http://localhost:8000/v1", KeyEnv: "LAB_KEY", Models: []string{"llava", "Qwen/Qwen2.5 \"VL\""}}
	text, names, err := AppendConnection([]byte(old), c)
	if err != nil || !strings.HasPrefix(string(text), old) || strings.Join(names, "|") != "llava-2|Qwen/Qwen2.5 \"VL\"" {
		t.Fatalf("%v %q\n%s", err, names, text)
	}
	again, _, err := AppendConnection(text, c)
	if err != nil || string(again) != string(text) {
		t.Errorf("added twice: %v\n%s", err, again)
	}
	conf, err := Load(Options{Base: text, Env: func(string) (string, bool) { return "", false }})
	if err != nil {
		t.Fatal(err)
	}
	for name, wire := range map[string]string{"llava-2": "llava", "Qwen/Qwen2.5 \"VL\"": "Qwen/Qwen2.5 \"VL\""} {
		m, err := conf.Model(name)
		if err != nil || m.Wire != wire || m.Endpoint.Name != "vllm-2" || m.Endpoint.BaseURL != c.BaseURL || m.Endpoint.KeyEnv != "LAB_KEY" {
			t.Errorf("%s is %+v, %v", name, m, err)
		}
	}
	if m, err := conf.Model("llava"); err != nil || m.Endpoint.BaseURL != "http://other:1/v1" {
		t.Errorf("the old one is %+v, %v", m, err)
	}
}

func TestAddRefuses(t *testing.T) {
	check := func(old string, c Connection, want string) {
		t.Helper()
		text, _, err := AppendConnection([]byte(old), c)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "4711") || text != nil {
			t.Errorf("%v: %s", err, text)
		}
	}
	check("", Connection{Endpoint: "e", BaseURL: "http://h/v1", KeyEnv: "sk-4711-do-not-tell-anybody"}, "looks like a key")
	check("", Connection{Endpoint: "e", BaseURL: "localhost:8000"}, "wants a URL")
	check("", Connection{Endpoint: "e", BaseURL: "http://u:4711@h/v1"}, "credentials")
	check("nonsense =", Connection{Endpoint: "e", BaseURL: "http://h/v1"}, "concord.toml:1")
}

package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"concord/eval"
)

// places is a pair of folders with the files in them.
func places(t *testing.T, project, home string, env map[string]string) Options {
	t.Helper()
	o := Options{ProjectDir: t.TempDir(), ConfigHome: t.TempDir(), Env: func(k string) (string, bool) {
		v, ok := env[k]
		return v, ok
	}}
	for path, text := range map[string]string{
		filepath.Join(o.ProjectDir, ProjectFile): project,
		filepath.Join(o.ConfigHome, HomeFile):    home,
	} {
		if text == "" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

func load(t *testing.T, project, home string, env map[string]string) *Config {
	t.Helper()
	c, err := Load(places(t, project, home, env))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProblemsNamePlaceAndNearestKey(t *testing.T) {
	check := func(file string, want ...string) {
		t.Helper()
		_, err := Load(places(t, file, "", nil))
		if err == nil {
			t.Errorf("%q: no error", file)
			return
		}
		var bad Problems
		if !errors.As(err, &bad) {
			t.Errorf("%q: %v is no Problems", file, err)
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q: %q does not say %q", file, err, w)
			}
		}
	}
	check("[endpoint.x]\nbase_url = 'http://h'", "concord.toml:1: ", `"endpoint"`, "did you mean endpoints?")
	check("[endpoints.x]\nbase_url = 'http://h'\nbaseurl = 'http://h'", ":3: endpoints.x: ", "did you mean base_url?")
	check("[endpoints.x]\nbase_url = 'http://h'\nzzzzzz = 1", "known: api, api_key_env, base_url")
	check("\n[models.'a/b.c']\nedge = 'big'", `:3: models."a/b.c".edge: wants a whole number, not text`)
	check("[models]\nx = 1", ":2: models.x: wants a table of its own")
	check("[models.x]\nparams = 3", ":2: models.x.params: wants a table")
	check("[models.x]\nparams = { temperature = 0,\n model = 'y' }", ":3: models.x.params.model: is no parameter")
	check("[models.x]\nparams.when = 1979-05-27", "models.x.params.when: ", "not a date or time")
	check("[models.x]\nparams = { a = inf }", "finite")
	check("[models.x]\nretries = -1", "from 0, not -1")
	check("[models.x]\nopen = 'yes'", `"open" or "closed"`)
	check("[models.x]\nedge = 1\n[models.x]\nedge = 2", ":3: ", "already exists")
	check("[models.x]\nedge = 1\nedge = 2", ":3: ", "edge is already defined")
	check("[endpoints.x]\ntimeout = '2m'", ":2: endpoints.x.base_url: is missing")
	check("[endpoints.x]\nbase_url = 'http://h'\ntimeout = '2'", ":3: ", `"90s"`)
	check("[endpoints.x]\nbase_url = 'ftp://h'", "wants a URL")
	check("[endpoints.x]\nbase_url = 'http://h/v1?key=1'", "without ?")
	check("[judging]\npseudo_choice = 'ZZ'", "upper-case letter")
	check("[run]\nconcurrency = 0", "at least 1")
	check("[curation]\nexpert = 3", ":2: curation: ", "did you mean experts?")
	check("[curation.d]\nexperts = 0", ":2: curation.d.experts: wants at least 1")
	check("[curation]\ntargets = 84", `a list such as ["axis=84"]`)
	check("run = 1", ":1: run: wants a table")
	check("[prompts]\nchoice = 1", ":2: prompts.choice: wants text")
	check("[prompts]\n\"cho\\u001bice\" = 'x'", ":2: prompts: a name holds a control character")
	check("[run\n", ":1: ", "expected ']'")
	check("a = 1\nb = 2", ":1: ", ":2: ")
}

func TestValuesMergeKeyByKey(t *testing.T) {
	c := load(t, `
[endpoints.vllm]
concurrency = 3
[models.m]
params = { max_tokens = 5, temperature = "omit" }
[prompts]
choice = "p/choice.txt"
"choice/zh" = "/abs/zh.txt"
`, `
[endpoints.vllm]
base_url = "http://h:8000/v1/"
timeout = "90s"
concurrency = 9
[models.m]
model = "org/M"
params = { max_tokens = 9, temperature = 1, extra = { a = [1, 2.5, "x", true] } }
price_prompt = 2
parameters = 7.1
open = "open"
language_base = "base"
[models.free]
price_prompt = 2
price_cached = 0
[judging]
pseudo_choice = "E"
[run]
budget = 3
`, map[string]string{"CONCORD_RUN_BUDGET": "7.5", "CONCORD_RUN_CONCURRENCY": " "})
	m, err := c.Model("m")
	if err != nil {
		t.Fatal(err)
	}
	want := Endpoint{Name: "vllm", BaseURL: "http://h:8000/v1", API: "chat", Timeout: 90 * time.Second, Concurrency: 3}
	if m.Endpoint != want {
		t.Errorf("endpoint %+v", m.Endpoint)
	}
	if got := string(m.Params); got != `{"extra":{"a":[1,2.5,"x",true]},"max_tokens":5,"temperature":null}` {
		t.Errorf("params %s", got)
	}
	if m.Wire != "org/M" || m.Edge != 1024 || m.Retries != 4 || m.Price != (eval.Price{Prompt: 2, Cached: 2}) {
		t.Errorf("model %+v", m)
	}
	if m, err := c.Model("free"); err != nil || m.Price != (eval.Price{Prompt: 2}) || m.Price.Cost(eval.Usage{Prompt: 300, Cached: 200}) != 200/1e6 {
		t.Errorf("tokens that were kept cost nothing: %+v, %v", m.Price, err)
	}
	if want := (eval.Card{Model: "m", Parameters: 7.1, LanguageBase: "base", Open: eval.OpenWeights}); len(c.ModelCards()) != 1 || c.ModelCards()[0] != want {
		t.Errorf("cards %+v", c.ModelCards())
	}
	dir := filepath.Dir(c.Files()[0].Path)
	if p := c.PromptFiles(); p["choice"] != filepath.Join(dir, "p/choice.txt") || p["choice/zh"] != "/abs/zh.txt" {
		t.Errorf("prompts %v", p)
	}
	if c.PseudoChoice() != "E" || c.MaxJudgeHints() != 1 || c.RunConcurrency() != 8 || c.RunBudget() != 7.5 {
		t.Errorf("%s %d %d %v", c.PseudoChoice(), c.MaxJudgeHints(), c.RunConcurrency(), c.RunBudget())
	}
	origins := make(map[string]string)
	for _, v := range c.Values() {
		origins[v.Key] = v.Value + " " + strings.TrimPrefix(v.Origin.String(), dir+"/")
	}
	for k, want := range map[string]string{
		"endpoints.vllm.concurrency": "3 concord.toml:3",
		"models.m.params.max_tokens": "5 concord.toml:5",
		"models.m.edge":              "1024 default",
		"models.m.endpoint":          "vllm default",
		"run.budget":                 "7.5 CONCORD_RUN_BUDGET",
		"run.concurrency":            "8 default",
	} {
		if origins[k] != want {
			t.Errorf("%s is %q, want %q", k, origins[k], want)
		}
	}
	if got := origins["models.m.params.extra"]; !strings.HasSuffix(got, "config.toml:8") {
		t.Errorf("extra: %q", got)
	}
}

func TestCurationOfADatasetGoesBeforeThatOfAll(t *testing.T) {
	c := load(t, `
[curation]
experts = 3
hide_hits = true
[curation.mmstar]
targets = ["axis=84", "math / geometry = 90", "t/targets.csv"]
hide_hits = false
[curation.pool]
inspection = "none"
`, "[curation]\nexperts = 5\ntargets = 'axis=2'\n[curation.mmstar]\nexperts = 2", map[string]string{"CONCORD_CURATION_HIDE_ANSWER": "true"})
	check := func(dataset string, want Curation, from string) {
		t.Helper()
		got := c.CurationSettings(dataset)
		if !strings.HasSuffix(got.TargetsFrom.String(), from) {
			t.Errorf("%s: targets from %s", dataset, got.TargetsFrom)
		}
		got.TargetsFrom = Origin{}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", dataset, got, want)
		}
	}
	file := filepath.Join(filepath.Dir(c.Files()[0].Path), "t/targets.csv")
	check("mmstar", Curation{Experts: 2, Targets: []string{"axis=84", "math / geometry = 90", file}, HideAnswer: true}, "concord.toml:6")
	check("pool", Curation{Experts: 3, Targets: []string{"axis=2"}, Inspection: "none", HideAnswer: true, HideHits: true}, "config.toml:3")
	values := make(map[string]string)
	for _, v := range c.Values() {
		values[v.Key] = v.Value + " " + filepath.Base(v.Origin.String())
	}
	for k, want := range map[string]string{
		"curation.experts": "3 concord.toml:3", "curation.hide_answer": "true CONCORD_CURATION_HIDE_ANSWER",
		"curation.mmstar.experts": "2 config.toml:5", "curation.mmstar.hide_answer": "",
	} {
		if values[k] != want {
			t.Errorf("%s is %q, want %q", k, values[k], want)
		}
	}
	if got := load(t, "", "", nil).CurationSettings("d"); got.Experts != 1 || got.Targets != nil {
		t.Errorf("without a word: %+v", got)
	}
}

func TestOpenAINeedsNoConfig(t *testing.T) {
	c := load(t, "", "", map[string]string{OpenAIKey: "sk-abcdefgh12345678"})
	m, err := c.Model("gpt-4o")
	if err != nil {
		t.Fatal(err)
	}
	if m.Wire != "gpt-4o" || m.Endpoint.BaseURL != "https://api.openai.com/v1" || string(m.Params) != `{"temperature":0}` {
		t.Errorf("%+v", m)
	}
	if k, err := c.EndpointAPIKey(m.Endpoint); k != "sk-abcdefgh12345678" || err != nil {
		t.Errorf("key: %v", err)
	}

	c = load(t, "", "", map[string]string{OpenAIBaseURL: "http://localhost:8000/v1"})
	if m, err = c.Model("x"); err != nil || m.Endpoint.BaseURL != "http://localhost:8000/v1" {
		t.Fatalf("%+v, %v", m, err)
	}
	if k, err := c.EndpointAPIKey(m.Endpoint); k != "" || err != nil {
		t.Errorf("a server of one's own needs no key: %v", err)
	}

	c = load(t, "", "", nil)
	if _, err = c.Model("x"); err == nil || !strings.Contains(err.Error(), "concord config init") {
		t.Errorf("without anything: %v", err)
	}
	if len(c.Endpoints()) != 0 {
		t.Errorf("endpoints %v", c.Endpoints())
	}
}

func TestUnknownModelsGoToTheDefaultEndpoint(t *testing.T) {
	const one, two = "[endpoints.one]\nbase_url='http://one/v1'\n", "[endpoints.two]\nbase_url='http://two/v1'\n"
	key := map[string]string{OpenAIKey: "x"}
	check := func(file string, env map[string]string, want string) {
		t.Helper()
		m, err := load(t, file, "", env).Model("new")
		got := m.Endpoint.Name
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%q: %s, want %s", file, got, want)
		}
	}
	check(one, nil, "one")
	check(one, key, "one")
	check(one+two, key, "openai")
	check(one+two, nil, "say which endpoint is to be asked: one, two")
	check("default_endpoint='two'\n"+one+two, key, "two")
	check("default_endpoint='tow'\n"+one+two, key, "did you mean two?")
	check(one+two+"[models.newer]\nendpoint='one'", nil, "did you mean newer?")

	c := load(t, one+"[models.m]\nendpoint='eno'", "", nil)
	if _, err := c.Model("m"); err == nil || !strings.Contains(err.Error(), "concord.toml:4: models.m.endpoint: there is no endpoint") {
		t.Errorf("missing endpoint: %v", err)
	}
	if all := c.Models(); len(all) != 1 || all[0].Endpoint != (Endpoint{Name: "eno"}) {
		t.Errorf("models %+v", all)
	}
}

func TestKeyNamesTheVariable(t *testing.T) {
	const file = "[endpoints.e]\nbase_url='http://h/v1'\napi_key_env='MY_KEY'"
	for value, want := range map[string]string{"": "MY_KEY is not set", "two words": "MY_KEY holds a space", "a\nb": "MY_KEY holds"} {
		c := load(t, file, "", map[string]string{"MY_KEY": value})
		e, _ := c.Endpoint("e")
		if _, err := c.EndpointAPIKey(e); err == nil || !strings.Contains(err.Error(), want) || value != "" && strings.Contains(err.Error(), value) {
			t.Errorf("%q: %v", value, err)
		}
	}
}

// A key that is pasted where a name belongs is refused and never repeated.
func TestKeysAreNeverRepeated(t *testing.T) {
	for _, secret := range []string{
		"sk-proj-Ab3dEf6hIj9kLmN0pQr2", "sk-ant-api03-xyzxyzxyz", "gsk_1A2b3C4d5E6f7G8h9I0jKlMnOpQrStUv",
		"AIzaSyA1b2C3d4E5f6G7h8I9j0KlMnOpQrStUvW", "0123456789abcdef0123456789abcdef",
		"d3adbeefd3adbeefd3adbeef", "Bearer abcdefgh12345678", "123e4567-e89b-12d3-a456-426614174000",
	} {
		for _, file := range []string{
			"[endpoints.x]\nbase_url = 'http://h'\napi_key_env = '%'",
			"[endpoints.x]\nbase_url = 'http://h'\napi_key = '%'",
			"[endpoints.x]\nbase_url = 'http://user:%@h/v1'",
			"[endpoints.x]\nbase_url = '://user:%@h/v1'",
			"[endpoints.x]\nbase_url = 'http://h'\ntimeout = '%'",
			"[endpoints.x]\nbase_url = 'http://h'\napi_key_env = %",
			"[endpoints.x]\n'%' = 'http://h'",
			"[models.x]\nparams = { api_key = '%' }",
			"[models.x]\nopen = '%'",
			"'%' = 1\n'%' = 2",
		} {
			_, err := Load(places(t, strings.ReplaceAll(file, "%", secret), "", nil))
			if err == nil {
				t.Errorf("%s with %s: no error", file, secret)
			} else if strings.Contains(err.Error(), secret) {
				t.Errorf("%s is repeated: %v", secret, err)
			}
		}
		for _, variable := range []string{OpenAIBaseURL, "CONCORD_RUN_BUDGET"} {
			_, err := Load(places(t, "", "", map[string]string{variable: secret}))
			if err == nil || strings.Contains(err.Error(), secret) || !strings.Contains(err.Error(), variable) {
				t.Errorf("%s: %v", variable, err)
			}
		}
	}
}

func TestNamesAreNoKeys(t *testing.T) {
	for _, name := range []string{
		"OPENAI_API_KEY", "AZURE_OPENAI_API_KEY_2024_05_01", "my_key", "HF_TOKEN", "K2", "SK_LEARN_KEY",
	} {
		if !isVariableName(name) {
			t.Errorf("%s is taken for a key", name)
		}
	}
	for _, name := range []string{
		"Qwen/Qwen2.5-VL-72B-Instruct-AWQ", "gpt-4o-2024-11-20", "hf_smollm_instruct", "key-value-model",
		"accounts/fireworks/models/llama-v3p2-90b-vision-instruct", "claude-3-5-sonnet-20241022-v2:0",
	} {
		if looksLikeSecretKey(name) || looksLikeToken(name) {
			t.Errorf("%s is taken for a key", name)
		}
	}
}

func TestStarterIsValidAndHarmless(t *testing.T) {
	found, bad := parseConfigFile("concord.toml", NewConfigText())
	if len(found)+len(bad) > 0 {
		t.Errorf("as it is: %v %v", found, bad)
	}
	examples := regexp.MustCompile(`(?m)^#([^# \n])`).ReplaceAllString(string(NewConfigText()), "$1")
	c := load(t, examples, "", map[string]string{OpenAIKey: "x"})
	if len(c.Endpoints()) != 5 || len(c.Models()) != 6 || len(c.PromptFiles()) != 3 {
		t.Errorf("%d endpoints, %d models, %d prompts", len(c.Endpoints()), len(c.Models()), len(c.PromptFiles()))
	}
	for _, m := range c.Models() {
		if _, err := c.Model(m.Name); err != nil {
			t.Error(err)
		}
	}
	for section, s := range schema {
		for f := range s.fields {
			if !strings.Contains(examples, f) {
				t.Errorf("%s.%s has no example", section, f)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(NewConfigText())
	f.Add([]byte(regexp.MustCompile(`(?m)^#([^# \n])`).ReplaceAllString(string(NewConfigText()), "$1")))
	f.Add([]byte("[models.x]\nparams = { a = { b = [1, {c = 2}] } }\n[[models.y]]\n"))
	f.Add([]byte("a.b.c = 1\n\"\" = 2\n[models]\n\"x\\u0000y\".edge = 3"))
	f.Fuzz(func(t *testing.T, data []byte) {
		found, bad := parseConfigFile("concord.toml", data)
		for _, p := range bad {
			if p.Origin.Line == 0 && len(data) > 0 && p.Text != "is no TOML" {
				t.Errorf("%v has no line", p)
			}
		}
		c := &Config{settings: make(settings), env: func(string) (string, bool) { return "", false }}
		c.settings.merge(found)
		c.Values()
		for _, m := range c.Models() {
			if m.Params == nil && len(c.findEndpointsWithoutURL()) == 0 {
				t.Errorf("%s has no params", m.Name)
			}
		}
	})
}

package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folders are a project's folder and a user's, with what is set.
type folders struct {
	t             *testing.T
	project, home string
	trust         TrustFile
	env           map[string]string
}

func newFolders(t *testing.T) *folders {
	t.Helper()
	f := &folders{t: t, project: t.TempDir(), home: t.TempDir(), env: map[string]string{"LAB_KEY": "abc", "LAB_VERSION": "2026-01-01", OpenAIKey: "def"}}
	f.trust = TrustFile{Path: filepath.Join(t.TempDir(), "trusted"), Folder: f.project}
	return f
}

func (f *folders) load(project, home string) *Config {
	f.t.Helper()
	for path, text := range map[string]string{
		filepath.Join(f.project, ProjectFile):               project,
		filepath.Join(f.home, filepath.FromSlash(HomeFile)): home,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			f.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			f.t.Fatal(err)
		}
	}
	c, err := Load(Options{ProjectDir: f.project, ConfigHome: f.home, Trust: f.trust, Env: func(name string) (string, bool) { v, ok := f.env[name]; return v, ok }})
	if err != nil {
		f.t.Fatal(err)
	}
	return c
}

func endpointText(name, rest string) string { return "[endpoints." + name + "]\n" + rest }

const (
	elsewhere = "base_url = \"https://lab.example/v1\"\n"
	unsafe    = "base_url = \"http://lab.example/v1\"\n"
	withKey   = "api_key_env = \"LAB_KEY\"\n"
)

func TestAKeyGoesWhereTheUserSaidSo(t *testing.T) {
	t.Parallel()
	check := func(name, project, home, want string, why error) {
		t.Helper()
		f := newFolders(t)
		c := f.load(project, home)
		var sends []string
		for _, s := range FindSendings(c) {
			sends = append(sends, s.String())
		}
		if got := strings.Join(sends, "; "); got != want {
			t.Errorf("%s: sends %q, want %q", name, got, want)
		}
		e, ok := c.Endpoint("x")
		if !ok {
			e, _ = c.Endpoint(OpenAI)
		}
		key, err := c.EndpointAPIKey(e)
		if !errors.Is(err, why) || (err == nil) != (key != "") {
			t.Errorf("%s: key %q, %v, want %v", name, key, err, why)
		}
	}
	const sent = "the key in LAB_KEY to https://lab.example/v1"
	check("the project's file", endpointText("x", elsewhere+withKey), "", sent, ErrUntrusted)
	check("the user's own file", "", endpointText("x", elsewhere+withKey), "", nil)
	check("both", endpointText("x", elsewhere+withKey), endpointText("y", elsewhere+withKey), "", nil)
	check("its address", endpointText("x", elsewhere), endpointText("x", "base_url = \"https://mine.example/v1\"\n"+withKey), sent, ErrUntrusted)
	check("its variable", endpointText("x", withKey), endpointText("x", elsewhere), sent, ErrUntrusted)
	check("nothing that matters", endpointText("x", "timeout = \"3s\"\n"), endpointText("x", elsewhere+withKey), "", nil)
	check("OpenAI's key to OpenAI", endpointText("x", "base_url = \"https://api.openai.com/v1\"\napi_key_env = \"OPENAI_API_KEY\"\n"), "", "", nil)
	check("OpenAI's key elsewhere", endpointText(OpenAI, elsewhere), "", "the key in OPENAI_API_KEY to https://lab.example/v1", ErrUntrusted)
	const extra = "headers = { api-key = \"LAB_KEY\" }\nquery = { api-version = \"LAB_VERSION\" }\n"
	const both = "the key in header api-key=LAB_KEY, query parameter api-version=LAB_VERSION to https://lab.example/v1"
	check("headers of the project's file", endpointText("x", elsewhere+withKey+extra), "", strings.Replace(both, "header", "LAB_KEY, header", 1), ErrUntrusted)
	check("headers by the project", endpointText("x", "headers = { api-key = \"LAB_KEY\" }\n"), endpointText("x", elsewhere+"query = { api-version = \"LAB_VERSION\" }\n"), both, ErrUntrusted)
	check("headers of the user's own file", "", endpointText("x", elsewhere+withKey+extra), "", nil)
	check("headers, unencrypted", "", endpointText("x", unsafe+extra), "", ErrPlainHTTP)
	for _, host := range []string{"localhost:1", "127.0.0.2", "[::1]:80", "a.localhost"} {
		local := endpointText("x", "base_url = \"http://"+host+"/v1\"\n"+withKey)
		check(host+", the user's own file", "", local, "", nil)
		check(host, local, "", "the key in LAB_KEY to http://"+host+"/v1", ErrUntrusted)
	}
	for _, host := range []string{"localhost.example", "10.0.0.1", "127.0.0.1.example", "[::2]"} {
		check(host, "", endpointText("x", "base_url = \"http://"+host+"/v1\"\n"+withKey), "", ErrPlainHTTP)
	}
	check("insecure, by the user", "", endpointText("x", unsafe+withKey+"insecure = true\n"), "", nil)
	check("insecure, by the project", endpointText("x", "insecure = true\n"), endpointText("x", unsafe+withKey),
		"the key in LAB_KEY to http://lab.example/v1, unencrypted", ErrUntrusted)
}

func TestTrustIsOfWhatIsSentWhere(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	check := func(project string, why error) {
		t.Helper()
		c := f.load(project, "")
		e, _ := c.Endpoint("x")
		if _, err := c.EndpointAPIKey(e); !errors.Is(err, why) {
			t.Errorf("%q: %v, want %v", project, err, why)
		}
	}
	sound := endpointText("x", elsewhere+withKey)
	check(sound, ErrUntrusted)
	if err := f.trust.TrustSendings(FindSendings(f.load(sound, ""))...); err != nil {
		t.Fatal(err)
	}
	check(sound, nil)
	check(sound+"timeout = \"3s\"\n[models.m]\nendpoint = \"x\"\n", nil)
	check(strings.Replace(sound, "lab.example", "evil.example", 1), ErrUntrusted)
	check(strings.Replace(sound, "LAB_KEY", OpenAIKey, 1), ErrUntrusted)
	if err := f.trust.DistrustSendings(FindSendings(f.load(sound, ""))); err != nil {
		t.Fatal(err)
	}
	check(sound, ErrUntrusted)

	// A file that one of the user's own commands made: the first that is written
	// into it.
	if err := f.trust.MarkOwnFile(); err != nil {
		t.Fatal(err)
	}
	check(sound, nil)
	check(sound, nil)
	check(strings.Replace(sound, "lab.example", "evil.example", 1), ErrUntrusted)

	other := f.trust
	other.Folder = t.TempDir()
	if ok, err := other.Allows(Sending{KeyEnv: "LAB_KEY", BaseURL: "https://lab.example/v1"}, nil); ok || err != nil {
		t.Errorf("in another folder: %t, %v", ok, err)
	}
	if info, err := os.Stat(f.trust.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	nowhere := TrustFile{Folder: f.project}
	if ok, err := nowhere.Allows(Sending{KeyEnv: "LAB_KEY", BaseURL: "https://lab.example/v1"}, nil); ok || err != nil {
		t.Errorf("with no place to keep it: %t, %v", ok, err)
	}
}

// What calls carry beside the key is named by its variables, and read when it is sent.
func TestHeadersAndQuery(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	c := f.load("", endpointText("x", elsewhere+"headers = { api-key = \"LAB_KEY\", X-Lab = \"LAB_NAME\" }\nquery = { api-version = \"LAB_VERSION\" }\n"))
	e, _ := c.Endpoint("x")
	if _, err := c.EndpointAPIKey(e); err == nil || !strings.Contains(err.Error(), "endpoints.x.headers.X-Lab: the environment variable LAB_NAME is not set") {
		t.Errorf("%v", err)
	}
	f.env["LAB_NAME"] = "our lab"
	headers, query := EndpointHeadersAndQuery(c, e)
	if key, err := c.EndpointAPIKey(e); err != nil || key != "" || headers["api-key"] != "abc" || headers["X-Lab"] != "our lab" || query["api-version"] != "2026-01-01" || len(headers)+len(query) != 3 {
		t.Errorf("%v: %v %v", err, headers, query)
	}
	for _, v := range c.Values() {
		if strings.Contains(v.Value, "abc") || v.Key == "endpoints.x.headers.api-key" && (v.Value != "LAB_KEY" || v.Note != "set") {
			t.Errorf("%+v", v)
		}
	}
	for text, want := range map[string]string{
		"headers = { Host = \"LAB_KEY\" }":    "no header that can be set",
		"headers = { \"a b\" = \"LAB_KEY\" }": "no header that can be set",
		"headers = { api-key = \"the key\" }": "name of an environment variable",
		"headers = \"LAB_KEY\"":               "names of variables",
		"query = { v = 3 }":                   "name of an environment variable",
	} {
		if _, bad := parseConfigFile(ProjectFile, []byte(endpointText("x", elsewhere+text+"\n"))); len(bad) == 0 || !strings.Contains(bad.Error(), want) {
			t.Errorf("%s: %v", text, bad)
		}
	}
}

func TestACallGoesToTheClusterThatTheUserSaidSo(t *testing.T) {
	t.Parallel()
	f := newFolders(t)
	const own, other = "[workers]\nurl = \"tls://a.example:4222\"\ncreds = \"c.creds\"\nca = \"/etc/ca.pem\"\n", "[workers]\nurl = \"tls://b.example:4222\"\n"
	want := Cluster{URL: "tls://a.example:4222", Creds: filepath.Join(f.project, "c.creds"), CA: "/etc/ca.pem"}
	c := f.load(own, other)
	if _, err := FindTrustedCluster(c); !errors.Is(err, ErrUntrusted) || !strings.Contains(err.Error(), "questions of runs to the workers of tls://a.example:4222") {
		t.Error(err)
	}
	if err := f.trust.TrustSendings(FindSendings(c)...); err != nil {
		t.Fatal(err)
	}
	if got, err := FindTrustedCluster(c); got != want || err != nil {
		t.Error(got, err)
	}
	if got, err := FindTrustedCluster(f.load("", other)); got.URL != "tls://b.example:4222" || err != nil {
		t.Error(got, err)
	}
	if _, err := FindTrustedCluster(f.load("", "")); err == nil || !strings.Contains(err.Error(), "no cluster is configured") {
		t.Error(err)
	}
	for _, bad := range []string{"http://a.example", "tls://user:secret@a.example", "nats://", "tls://a.example,b.example"} {
		if _, found := parseConfigFile("c", []byte("[workers]\nurl = \""+bad+"\"\n")); len(found) != 1 || strings.Contains(found[0].Error(), "secret") {
			t.Errorf("%s: %v", bad, found)
		}
	}
}

package screen

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestPicturesOpenOutside(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the desktop's program differs")
	}
	t.Setenv("TMPDIR", t.TempDir())
	check := func(env map[string]string, fails error, name, want, file string) {
		t.Helper()
		var ran []string
		o := desktopViewer{getenv: func(k string) string { return env[k] }, start: func(p string, args ...string) error {
			ran = append([]string{p}, args...)
			return fails
		}}
		said, err := o.openImageCopy([]byte("data"), "png", name)
		if err != nil || !strings.Contains(said, want) || !strings.Contains(said, "/"+file+" is ") {
			t.Errorf("%q: %q, %v; ran %q", name, said, err, ran)
		}
		if got, err := os.ReadFile(filepath.Join(o.folder, file)); err != nil || string(got) != "data" {
			t.Errorf("%q: copy %q, %v", name, got, err)
		}
		if filepath.Dir(filepath.Join(o.folder, file)) != o.folder {
			t.Errorf("%q is not in its folder", name)
		}
	}
	desktop := map[string]string{"DISPLAY": ":0"}
	check(desktop, nil, "cat.jpg", "opened with xdg-open", "cat-3a6eb079.png")
	check(desktop, errors.New("none"), "cat", "is a copy", "cat-3a6eb079.png")
	check(map[string]string{"DISPLAY": ":0", "SSH_CONNECTION": "x"}, nil, "../../etc/pass wd", "is a copy; no desktop", "pass_wd-3a6eb079.png")
	check(nil, nil, "../..", "is a copy; no desktop", "picture-3a6eb079.png")
	check(nil, nil, "\x1b[31m;rm -rf", "is a copy; no desktop", "31m_rm_-rf-3a6eb079.png")
}

package screen

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// outside shows pictures by the program that the desktop has for them. Where
// there is no desktop, as over SSH, it says where a copy lies.
type outside struct {
	getenv func(string) string
	start  func(name string, args ...string) error

	mu     sync.Mutex
	folder string // of the copies; "": not made yet
}

func newOutside() *outside { return &outside{getenv: os.Getenv, start: start} }

// start runs a program and does not wait for it to be closed.
func start(name string, args ...string) error {
	cmd := exec.Command(name, args...) //nolint:noctx // it outlives the app
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }()
	return nil
}

// program is what opens a file on this desktop; "" when there is none.
func (o *outside) program() string {
	switch {
	case o.getenv("SSH_CONNECTION") != "" || o.getenv("SSH_TTY") != "":
		return ""
	case runtime.GOOS == "darwin":
		return "open"
	case o.getenv("WAYLAND_DISPLAY") != "" || o.getenv("DISPLAY") != "":
		return "xdg-open"
	}
	return ""
}

// copies is the folder of the copies. Screens ask for it beside each other.
func (o *outside) copies() (string, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.folder == "" {
		dir, err := os.MkdirTemp("", "concord-")
		if err != nil {
			return "", fmt.Errorf("make a folder: %w", err)
		}
		o.folder = dir
	}
	return o.folder, nil
}

// odd is what a file's name is better without.
var odd = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// show writes a copy of a picture, has it opened, and says what it did. Copies
// lie in a folder of the app's own, in the system's for temporary files, which
// the system empties.
func (o *outside) show(data []byte, format, name string) (string, error) {
	folder, err := o.copies()
	if err != nil {
		return "", err
	}
	name = strings.Trim(odd.ReplaceAllString(filepath.Base(name), "_"), "._-")
	name = strings.TrimSuffix(name[:min(len(name), 80)], filepath.Ext(name))
	if name == "" {
		name = "picture"
	}
	sum := sha256.Sum256(data) // two pictures of one name are two copies
	path := filepath.Join(folder, fmt.Sprintf("%s-%x.%s", name, sum[:4], format))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return "", fmt.Errorf("write a copy: %w", err)
	}
	if p := o.program(); p != "" && o.start(p, path) == nil {
		return path + " is opened with " + p, nil
	}
	return path + " is a copy; no desktop here can show it", nil
}

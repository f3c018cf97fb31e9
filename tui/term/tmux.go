package term

import (
	"context"
	"os/exec"
	"strings"
)

// Mux is a tmux that stands between the app and the terminal, and what it says
// of that. The zero value is that there is none.
type Mux struct {
	In          bool
	Passthrough bool  // it hands sequences on that it does not know
	Outer       Brand // the terminal around it
}

// muxFormat asks for the option and for what tmux knows of the client's
// terminal: TERM, and its answer to XTVERSION.
const muxFormat = "#{allow-passthrough}\t#{client_termname}\t#{client_termtype}"

// askTmux asks the tmux that the app runs in, if it does.
func askTmux(getenv func(string) string) Mux {
	if getenv("TMUX") == "" {
		return Mux{}
	}
	ctx, cancel := context.WithTimeout(context.Background(), Wait)
	defer cancel()
	out, err := exec.CommandContext(ctx, "tmux", "display-message", "-p", muxFormat).Output()
	if err != nil {
		return Mux{In: true}
	}
	return readTmux(string(out))
}

// readTmux reads the answer to muxFormat.
func readTmux(s string) Mux {
	m := Mux{In: true}
	f := strings.Split(strings.TrimRight(s, "\n"), "\t")
	m.Passthrough = f[0] == "on" || f[0] == "all"
	if len(f) == 3 {
		if m.Outer = brand(f[2]); m.Outer.Name == "" {
			m.Outer = Brand{Name: strings.TrimPrefix(printable(f[1]), "xterm-")}
		}
	}
	return m
}

//go:build unix

package term

import (
	"context"
	"io"
	"os"
	"os/signal"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/sys/unix"
)

// HandleStopSignals has a program give the terminal back when it is stopped from outside (SIGTSTP), and take it
// again and draw anew when it goes on. save runs before. It returns at once, and works until ctx ends.
// A picture that fills the screen by itself is left first.
//
// The stop itself is SIGSTOP: a process group that nobody can continue, such as that of a session's
// first program, is not stopped by SIGTSTP, and would wait for ever with the terminal given back.
func HandleStopSignals(ctx context.Context, send func(tea.Msg), save func()) {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, unix.SIGTSTP)
	go func() {
		defer signal.Stop(stop)
		for {
			select {
			case <-ctx.Done():
				return
			case <-stop:
			}
			save()
			send(tea.Exec(pause{}, func(error) tea.Msg { return tea.ResumeMsg{} })())
		}
	}()
}

// pause is what runs while the terminal is given back: nothing.
type pause struct{}

func (pause) SetStdin(io.Reader)  {}
func (pause) SetStdout(io.Writer) {}
func (pause) SetStderr(io.Writer) {}

// Run stops the process, and returns once it goes on.
func (pause) Run() error {
	on := make(chan os.Signal, 1)
	signal.Notify(on, unix.SIGCONT)
	defer signal.Stop(on)
	if err := unix.Kill(unix.Getpid(), unix.SIGSTOP); err != nil {
		return err
	}
	<-on
	return nil
}

package term

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"
)

func TestPromptEchoesAndMends(t *testing.T) {
	here, there := net.Pipe()
	p := NewPrompt(here)
	seen := make(chan string, 1)
	go func() {
		shown, _ := io.ReadAll(there)
		seen <- string(shown)
	}()
	go func() { _, _ = io.WriteString(there, "ab\x7fc\rsecond\r\x04") }()
	in := bufio.NewScanner(p)
	var lines []string
	for in.Scan() {
		lines = append(lines, in.Text())
	}
	if strings.Join(lines, ",") != "ac,second" || in.Err() != nil {
		t.Errorf("read %q, %v", lines, in.Err())
	}
	if _, err := io.WriteString(p, "one\ndone\n"); err != nil {
		t.Fatal(err)
	}
	_ = here.Close()
	if got := <-seen; !strings.Contains(got, "second") || !strings.Contains(got, "one\r\ndone") {
		t.Errorf("shown %q", got)
	}
}

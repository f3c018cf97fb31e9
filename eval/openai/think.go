package openai

import "strings"

// fences are what models put around their thinking when nothing at the
// endpoint parses it out. bare says that templates put the opening one into
// the prompt, so that an answer may begin in the middle of the thinking.
var fences = []struct {
	open, end string
	bare      bool
}{
	{"<think>", "</think>", true}, // DeepSeek-R1, Qwen, GLM, InternVL
	{"<thinking>", "</thinking>", false},
	{"◁think▷", "◁/think▷", true}, // Kimi-VL
	{"[THINK]", "[/THINK]", false},
	{"<seed:think>", "</seed:think>", false},
}

// unthink parts a leading thought from the answer. A thought without an end
// leaves no answer: the model was cut off in it.
func unthink(content string) (answer, thought string) {
	trimmed := strings.TrimLeft(content, " \t\r\n")
	for _, f := range fences {
		if rest, ok := strings.CutPrefix(trimmed, f.open); ok {
			thought, answer, _ = strings.Cut(rest, f.end)
			return strings.TrimLeft(answer, " \t\r\n"), strings.TrimSpace(thought)
		}
	}
	for _, f := range fences {
		before, after, ok := strings.Cut(content, f.end)
		if f.bare && ok && !strings.Contains(before, f.open) {
			return strings.TrimLeft(after, " \t\r\n"), strings.TrimSpace(before)
		}
	}
	return content, ""
}

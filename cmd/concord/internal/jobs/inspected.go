package jobs

import (
	"cmp"
	"fmt"
	"strings"

	"concord/annotate/curation"
	"concord/cmd/concord/internal/cli"
	"concord/cmd/concord/internal/project"
	"concord/eval"
)

// inspectSummary is what an inspection came to.
type inspectSummary struct {
	Inspection string           `json:"inspection"`
	Dataset    eval.DatasetName `json:"dataset"`
	Inspectors int              `json:"inspectors"`
	Graders    int              `json:"graders"`
	Pool       int              `json:"pool"`
	Kept       int              `json:"kept"`
	Answerable int              `json:"answerable"`
	Doubtful   int              `json:"doubtful"`
	Incomplete int              `json:"incomplete"`
	Abnormal   int              `json:"abnormal"`
	Majority   int              `json:"majority"`
	Difficulty map[string]int   `json:"difficulty"` // of the kept ones
}

// ungraded names the samples that not every grader has decided.
const ungraded = "ungraded"

func summarizeInspection(in *curation.Inspection) inspectSummary {
	out := inspectSummary{
		Inspection: in.Name, Dataset: in.Dataset, Inspectors: len(in.Probes), Graders: len(in.Graders),
		Pool: len(in.Marks), Difficulty: make(map[string]int),
	}
	for f := range in.EachFinding() {
		switch f.Fate {
		case curation.Kept:
			out.Kept++
			out.Difficulty[cmp.Or(f.Difficulty.String(), ungraded)]++
		case curation.Answerable:
			out.Answerable++
		case curation.Doubtful:
			out.Doubtful++
		case curation.Incomplete:
			out.Incomplete++
		case curation.FateUnset:
		}
		if f.Abnormal {
			out.Abnormal++
		}
		if f.Majority {
			out.Majority++
		}
	}
	return out
}

// PrintInspected prints what an inspection came to.
func PrintInspected(a *project.Project, in *curation.Inspection) error {
	s := summarizeInspection(in)
	text := fmt.Sprintf("inspection %s: %s of %s, %s without the image, %s with it\n", cli.EscapeControls(s.Inspection),
		cli.FormatCount(s.Pool, "sample"), cli.EscapeControls(string(s.Dataset)), cli.FormatCount(s.Inspectors, "run"), cli.FormatCount(s.Graders, "run"))
	text += fmt.Sprintf("  %d kept, %d answerable without image (abnormal: %d, by majority vote: %d)", s.Kept, s.Answerable, s.Abnormal, s.Majority)
	if s.Doubtful > 0 {
		text += fmt.Sprintf(", %d doubtful", s.Doubtful)
	}
	if s.Incomplete > 0 {
		text += fmt.Sprintf(", %d without a ground truth", s.Incomplete)
	}
	text += "\n"
	if s.Graders > 0 {
		var levels []string
		for _, d := range []curation.Difficulty{curation.Easy, curation.Moderate, curation.Hard, curation.Tough, curation.Ungraded} {
			name := cmp.Or(d.String(), ungraded)
			if n := s.Difficulty[name]; n > 0 || d != curation.Ungraded {
				levels = append(levels, fmt.Sprintf("%d %s", n, name))
			}
		}
		text += "  of those kept " + strings.Join(levels, ", ") + "\n"
	}
	text += fmt.Sprintf("See: concord report inspectors --inspection %s\n", cli.QuoteForShell(s.Inspection))
	return a.Print(s, "%s", text)
}

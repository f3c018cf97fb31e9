package curating

import (
	"github.com/spf13/cobra"

	"concord/annotate/curation"
)

// noShare takes a threshold away.
const noShare = "none"

// ShareFlag is a threshold: 2/8.
type ShareFlag struct{ share *curation.Share }

func (f ShareFlag) String() string {
	if f.share == nil || f.share.IsZero() {
		return ""
	}
	return f.share.String()
}

// Type names the value in help.
func (f ShareFlag) Type() string { return "share" }

// Set reads a share.
func (f ShareFlag) Set(text string) error {
	var err error
	*f.share = curation.Share{}
	if text != noShare {
		*f.share, err = curation.ParseShare(text)
	}
	return err
}

// ThresholdFlag is a threshold by its flag.
type ThresholdFlag struct {
	Name, usage string
	Of          func(*curation.Settings) *curation.Share
}

// ThresholdFlags are the flags of the shares by which an inspection decides.
func ThresholdFlags() []ThresholdFlag {
	return []ThresholdFlag{
		{"keep", "a sample is kept when at most this `share` of the text-only probe models answers it", func(s *curation.Settings) *curation.Share { return &s.Keep }},
		{"abnormal", "from this `share` of the text-only probe models that are correct, it counts as abnormal", func(s *curation.Settings) *curation.Share { return &s.Abnormal }},
		{"easy", "from this `share` of the runs with the image on a sample is easy", func(s *curation.Settings) *curation.Share { return &s.Easy }},
		{"moderate", "from this `share` on it is moderate", func(s *curation.Settings) *curation.Share { return &s.Moderate }},
		{"hard", "from this `share` on it is hard, below it tough", func(s *curation.Settings) *curation.Share { return &s.Hard }},
		{"doubtful", "drop what at most this `share` of the runs with the image answers (none: nothing is dropped so)", func(s *curation.Settings) *curation.Share { return &s.Doubtful }},
	}
}

// AddThresholds adds the flags of all thresholds.
func AddThresholds(cmd *cobra.Command, s *curation.Settings) {
	for _, t := range ThresholdFlags() {
		cmd.Flags().Var(ShareFlag{t.Of(s)}, t.Name, t.usage)
	}
}

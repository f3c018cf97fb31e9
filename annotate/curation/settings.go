package curation

import (
	"errors"
	"fmt"
)

// Settings are the thresholds by which samples are filtered and graded. They
// are written for some number of runs and hold for any other by their
// proportion, compared exactly. A threshold itself belongs to what is named
// before it: Keep keeps it, Abnormal finds it abnormal, each level of
// difficulty begins with it.
type Settings struct {
	Keep     Share // at most this share of the inspectors answers right: the sample is kept
	Abnormal Share // at least this share answers right: an abnormal hit
	Easy     Share // at least this share of the graders answers right
	Moderate Share
	Hard     Share // what is below is tough

	// Doubtful drops what at most this share of the graders answers right, as
	// probably wrong; the zero value drops nothing.
	Doubtful Share
}

// Paper is MMStar's choice, of 8 inspectors and 16 graders (Sec. 4.1).
func Paper() Settings {
	return Settings{
		Keep: Share{2, 8}, Abnormal: Share{6, 8},
		Easy: Share{12, 16}, Moderate: Share{8, 16}, Hard: Share{4, 16},
	}
}

// Check says what is wrong with settings.
func (s *Settings) Check() error {
	for _, one := range []struct {
		name  string
		share Share
	}{{"keep", s.Keep}, {"abnormal", s.Abnormal}, {"easy", s.Easy}, {"moderate", s.Moderate}, {"hard", s.Hard}} {
		if !one.share.Valid() {
			return fmt.Errorf("threshold %s is %s: want a share from none to all", one.name, one.share)
		}
	}
	switch {
	case !s.Doubtful.IsZero() && !s.Doubtful.Valid():
		return fmt.Errorf("threshold doubtful is %s: want a share from none to all", s.Doubtful)
	case s.Abnormal.compare(s.Keep.K, s.Keep.Of) >= 0:
		return errors.New("what is an abnormal hit would be kept: want keep below abnormal")
	case s.Hard.compare(s.Moderate.K, s.Moderate.Of) <= 0 || s.Moderate.compare(s.Easy.K, s.Easy.Of) <= 0:
		return errors.New("levels of difficulty overlap: want easy above moderate above hard")
	}
	return nil
}

package store

import (
	"path/filepath"
	"testing"

	"concord/eval"
)

// What an earlier concord stored as the sample's own failure, although the
// reply was no answer, is the endpoint's: it is asked again, and the totals of
// its run are counted anew.
func TestNoAnswersOfEarlierProjects(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	s := openAt(t, path, Options{})
	run := got[eval.Run](t)(s.Runs().CreateRun(t.Context(), eval.Config{Dataset: "d", Model: "m", Strategy: eval.Vanilla}))
	const at = `endpoint "lab", model "vlm": `
	stored := []struct {
		status  int
		message string
		want    eval.FailureKind
	}{
		{0, at + "reply without a choice", eval.FailureTransient},
		{0, at + "malformed reply: unexpected EOF", eval.FailureTransient},
		{0, at + `content type "text/html" instead of the API's: is the base URL right?`, eval.FailureTransient},
		{422, at + "HTTP status 422 (Unprocessable Entity): upstream failed", eval.FailureTransient},
		{400, at + "HTTP status 400 (Bad Request): provider returned an error [400]", eval.FailureTransient},
		{422, at + "refused with HTTP status 422 (Unprocessable Entity): field required", eval.FailureSample},
		{400, at + "HTTP status 400 (Bad Request): filtered [content_filter]", eval.FailureSample},
		{0, at + "the endpoint's content filter withheld the answer", eval.FailureSample},
	}
	for i, c := range stored {
		must(t, s.Runs().Record(t.Context(), eval.Fact{
			Prediction: eval.Prediction{
				Key:     eval.Key{Run: run.ID, Sample: eval.Ordinal(i)},
				Failure: &eval.Failure{Kind: eval.FailureSample, Status: c.status, Message: c.message},
			},
			Reader: "r", Closes: true,
		}))
	}
	before := got[eval.Counts](t)(s.Runs().Counts(run.ID))
	same(t, before.Questions, len(stored))
	must(t, s.Close())

	older(t, path, 9)

	s = openAt(t, path, Options{})
	for _, p := range got[[]eval.Prediction](t)(s.Runs().FailedPredictions(t.Context(), run.ID, len(stored)+1)) {
		if c := stored[p.Sample]; p.Failure.Kind != c.want {
			t.Errorf("%s is read as %v, want %v", c.message, p.Failure.Kind, c.want)
		}
	}
	if after := got[eval.Counts](t)(s.Runs().Counts(run.ID)); after.Reader != "" {
		t.Errorf("the totals stay: %+v", after)
	}
}

package eval_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"testing"

	"concord/eval"
)

func TestFailureOf(t *testing.T) {
	check := func(err error, want eval.FailureKind) {
		t.Helper()
		got := eval.FailureOfError(err)
		if (got == nil) != (err == nil) || got != nil && (got.Kind != want || got.Message == "") {
			t.Errorf("FailureOf(%v) = %v, want %v", err, got, want)
		}
	}
	check(nil, eval.FailureUnset)
	check(&eval.Failure{Kind: eval.FailureTransient, Message: "429"}, eval.FailureTransient)
	check(fmt.Errorf("chat: %w", &eval.Failure{Kind: eval.FailureConfiguration, Message: "401"}), eval.FailureConfiguration)
	check(&eval.Failure{Message: "of no kind"}, eval.FailureSample)
	check(fmt.Errorf("chat: %w", context.DeadlineExceeded), eval.FailureTransient)
	check(&net.DNSError{IsTimeout: true}, eval.FailureTransient)
	check(errors.New("no choices"), eval.FailureSample)
}

package widget

import (
	"testing"
	"time"
)

func TestSparkMoneyShort(t *testing.T) {
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	th := plainTheme()
	check(th.Spark(4, nil), "    ")
	check(th.Spark(4, []float64{0, 0}), "  ▁▁")
	check(th.Spark(3, []float64{9, 0, 0.01, 8}), "▁▂█")
	check(Money(0), "0.00")
	check(Money(0.00123), "0.0012")
	check(Money(0.0949), "0.0949")
	check(Money(1204.5), "1,204.50")
	check(Money(999999.999), "1,000,000.00")
	check(Short(9999), "9,999")
	check(Short(12345), "12.3k")
	check(Short(999499), "999k")
	check(Short(999500), "1.00M")
	check(Short(2_845_050), "2.85M")
	check(Short(1_500_000_000), "1.50G")
	check(Span(1500*time.Millisecond), "2 s")
}

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
	check(th.DrawSparkline(4, nil), "    ")
	check(th.DrawSparkline(4, []float64{0, 0}), "  ▁▁")
	check(th.DrawSparkline(3, []float64{9, 0, 0.01, 8}), "▁▂█")
	check(FormatMoney(0), "0.00")
	check(FormatMoney(0.00123), "0.0012")
	check(FormatMoney(0.0949), "0.0949")
	check(FormatMoney(1204.5), "1,204.50")
	check(FormatMoney(999999.999), "1,000,000.00")
	check(FormatAbbreviated(9999), "9,999")
	check(FormatAbbreviated(12345), "12.3k")
	check(FormatAbbreviated(999499), "999k")
	check(FormatAbbreviated(999500), "1.00M")
	check(FormatAbbreviated(2_845_050), "2.85M")
	check(FormatAbbreviated(1_500_000_000), "1.50G")
	check(FormatDuration(1500*time.Millisecond), "2 s")
}

package sessionop

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets every property be checked 2,000 times, where -rapid.checks
// does not say otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		if err := checks.Value.Set("2000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

package wire

import (
	"testing"
	"time"
)

// waitFor polls until a condition that another goroutine brings about holds.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatal("waited in vain")
}

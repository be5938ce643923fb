package sqltests

import (
	"strings"
	"testing"
)

// What a client names at start-up are its defaults: RESET and DISCARD ALL go
// back to them. PostgreSQL answers the same.
func TestStartupSettings(t *testing.T) {
	const parameters = "&application_name=mine&timezone=GMT-02:00&statement_timeout=90s"
	t.Run("sessiondb", func(t *testing.T) { testStartupSettings(t, serve(t).url()+parameters) })
	t.Run("PostgreSQL", func(t *testing.T) { testStartupSettings(t, startPostgres(t).url("postgres")+parameters) })
}

func testStartupSettings(t *testing.T, url string) {
	t.Helper()
	conn := connectTo(t, url)
	want := func(when string) {
		t.Helper()
		got, err := simple(t.Context(), conn.PgConn(), "SELECT current_setting('application_name'), current_setting('statement_timeout'), timestamptz '2026-01-01 00:00:00+00'")
		if err != nil {
			t.Fatal(describe(err))
		}
		if lines := strings.Join(got.lines(), "\n"); lines != "mine | 90s | 2026-01-01 02:00:00+02" {
			t.Errorf("%s: %s", when, lines)
		}
		if zone := conn.PgConn().ParameterStatus("TimeZone"); zone != "GMT-02:00" {
			t.Errorf("%s: the client was told of the time zone %s", when, zone)
		}
	}
	want("at start-up")
	change := []string{"SET application_name = 'other'", "SET timezone = 'Asia/Tokyo'", "SET statement_timeout = 0"}
	must(t, conn, change...)
	must(t, conn, "RESET application_name", "RESET timezone", "RESET statement_timeout")
	want("after RESET")
	must(t, conn, change...)
	must(t, conn, "DISCARD ALL")
	want("after DISCARD ALL")
	must(t, conn, "BEGIN")
	must(t, conn, change...)
	must(t, conn, "ROLLBACK")
	want("after ROLLBACK")
}

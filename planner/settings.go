package planner

import (
	"context"
	"fmt"
	"maps"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// ServerVersion is the Postgres version whose behaviour sessiondb follows, as
// server_version reports it.
const ServerVersion = "15.14 (sessiondb)"

// settings are a session's run-time parameters, as SET and SHOW know them.
// Inside a transaction the values from before it are kept, since a ROLLBACK
// restores them.
type settings struct {
	client *wire.Client
	values map[string]string // those that differ from the default
	before map[string]string // values at the start of the transaction, of those that changed in it
	local  map[string]bool   // those that SET LOCAL changed
	stale  bool              // the catalogs show older values
	zone   *time.Location    // what location loaded last

	reported map[string]string // what the client was told last
}

// settingDefaults are the parameters that clients ask for, with their values
// in a new session. A parameter with a dot in its name need not be among them.
func settingDefaults() map[string]string {
	return map[string]string{
		"application_name": "", "array_nulls": "on", "block_size": "8192", "bytea_output": "hex", "client_encoding": "UTF8",
		"client_min_messages": "notice", "datestyle": "ISO, MDY", "default_transaction_isolation": "read committed",
		"default_transaction_read_only": "off", "default_transaction_deferrable": "off", "enable_hashjoin": "on", "enable_mergejoin": "on",
		"enable_nestloop": "on", "enable_seqscan": "on", "enable_indexscan": "on", "extra_float_digits": "1", "geqo": "on", "hot_standby": "on",
		"idle_in_transaction_session_timeout": "0", "idle_session_timeout": "0", "in_hot_standby": "off", "integer_datetimes": "on",
		"intervalstyle": "postgres", "is_superuser": "on", "jit": "off", "lc_collate": "C.UTF-8", "lc_ctype": "C.UTF-8", "lc_messages": "C.UTF-8",
		"lc_monetary": "C.UTF-8", "lc_numeric": "C.UTF-8", "lc_time": "C.UTF-8", "lock_timeout": "0", "max_connections": "100",
		"max_identifier_length": "63", "max_index_keys": "32", "password_encryption": "scram-sha-256", "row_security": "on",
		"search_path": `"$user", public`, "server_encoding": "UTF8", "server_version": ServerVersion, "server_version_num": "150014",
		"session_authorization": "", "role": "none", "standard_conforming_strings": "on", "statement_timeout": "0", "synchronize_seqscans": "on",
		"synchronous_commit": "on", "timezone": "UTC", "transaction_deferrable": "off", "transaction_isolation": "read committed",
		"transaction_read_only": "off", "work_mem": "4MB", "xmloption": "content", "default_table_access_method": "heap", "default_tablespace": "",
		"check_function_bodies": "on", "quote_all_identifiers": "off", "wal_level": "replica", "ssl": "off",
	}
}

// reportedName is how ParameterStatus spells a setting that it reports, "" if
// it does not.
func reportedName(name string) string {
	switch name {
	case "datestyle":
		return "DateStyle"
	case "intervalstyle":
		return "IntervalStyle"
	case "timezone":
		return "TimeZone"
	case "application_name", "client_encoding", "standard_conforming_strings", "session_authorization", "is_superuser", "default_transaction_read_only":
		return name
	default:
		return ""
	}
}

func newSettings(c *wire.Client) *settings {
	return &settings{client: c, values: map[string]string{}, before: map[string]string{}, local: map[string]bool{}, reported: settingDefaults()}
}

// applyStartup takes the settings that the client named at start-up.
func (s *session) applyStartup(ctx context.Context) error {
	names := make([]string, 0, len(s.client.Params))
	for name := range s.client.Params {
		names = append(names, name)
	}
	sort.Strings(names)
	s.settings.values["session_authorization"] = s.client.Params["user"]
	s.client.Report("server_version", ServerVersion)
	for _, name := range names {
		switch lower := strings.ToLower(name); lower {
		case "user", "database", "replication", "options":
		default:
			if err := s.set(ctx, lower, s.client.Params[name], false); err != nil {
				return err
			}
		}
	}
	s.settings.endLocal(true)
	return s.announce(ctx)
}

// announce tells the catalogs who asks.
func (s *session) announce(ctx context.Context) error {
	user := s.client.Params["user"]
	database := s.client.Params["database"]
	if database == "" {
		database = user
	}
	for _, q := range s.engine.catalog.SessionSQL(PGSession{Database: database, User: user, ProcessID: s.client.ProcessID, Started: s.engine.started, Settings: s.settings.all()}) {
		if _, err := s.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	s.settings.stale = false
	return nil
}

// refreshSettings lets the catalogs show the settings as they are now.
func (s *session) refreshSettings(ctx context.Context) error {
	if !s.settings.stale {
		return nil
	}
	for _, q := range s.engine.catalog.SettingsSQL(s.client.Params["user"], s.settings.all()) {
		if _, err := s.conn.Exec(ctx, q); err != nil {
			return err
		}
	}
	s.settings.stale = false
	return nil
}

// all are the settings by name.
func (g *settings) all() map[string]string {
	out := settingDefaults()
	maps.Copy(out, g.values)
	return out
}

// get is a setting's value, "" for one that is not known.
func (g *settings) get(name string) string {
	if v, ok := g.values[name]; ok {
		return v
	}
	return settingDefaults()[name]
}

func (g *settings) known(name string) bool {
	if _, ok := g.values[name]; ok {
		return true
	}
	_, ok := settingDefaults()[name]
	return ok
}

// set changes a setting, in DuckDB too where it decides something there.
func (s *session) set(ctx context.Context, name, value string, local bool) error {
	g := s.settings
	if !g.known(name) && !strings.Contains(name, ".") {
		return wire.Errorf("42704", "unrecognized configuration parameter \"%s\"", name).
			WithHint("SHOW ALL lists the parameters; one of your own has a dot in its name.")
	}
	value, err := s.normalise(ctx, name, value)
	if err != nil {
		return err
	}
	if _, kept := g.before[name]; !kept {
		g.before[name] = g.get(name)
	}
	g.local[name] = local
	g.values[name] = value
	g.stale = true
	g.report(name)
	return nil
}

// report tells the client a setting's value, unless it knows it already.
func (g *settings) report(name string) {
	n, value := reportedName(name), g.get(name)
	if told, known := g.reported[name]; n == "" || known && told == value {
		return
	}
	g.reported[name] = value
	g.client.Report(n, value)
}

// normalise checks a value and gives it the form that SHOW prints.
func (s *session) normalise(ctx context.Context, name, value string) (string, error) {
	invalid := func(hint string) error {
		return wire.Errorf(codeInvalidParameter, "invalid value for parameter \"%s\": \"%s\"", name, value).WithHint("%s", hint)
	}
	switch name {
	case "timezone":
		return s.setTimeZone(ctx, value)
	case "server_version", "server_version_num", "server_encoding", "integer_datetimes", "max_identifier_length", "block_size", "max_index_keys", "is_superuser", "in_hot_standby", "lc_collate", "lc_ctype":
		return "", wire.Errorf("55P02", "parameter \"%s\" cannot be changed", name)
	case "client_encoding":
		switch strings.ToUpper(strings.NewReplacer("-", "", "_", "").Replace(value)) {
		case "UTF8", "UNICODE", "SQLASCII":
			return "UTF8", nil
		}
		return "", invalid("sessiondb speaks UTF8.")
	case "datestyle":
		if !strings.HasPrefix(strings.ToUpper(value), "ISO") && !strings.EqualFold(value, "MDY") && !strings.EqualFold(value, "DMY") && !strings.EqualFold(value, "YMD") {
			return "", invalid("sessiondb writes dates in the ISO style.")
		}
		return "ISO, MDY", nil
	case "intervalstyle":
		if !strings.EqualFold(value, "postgres") {
			return "", invalid("sessiondb writes intervals in the postgres style.")
		}
		return "postgres", nil
	case "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout":
		d, ok := parseTimeout(value)
		if !ok {
			return "", invalid("Write a number of milliseconds, or a number with a unit: us, ms, s, min, h, d.")
		}
		return formatTimeout(d), nil
	}
	return normaliseBool(name, value), nil
}

// normaliseBool writes the values of switches as on and off.
func normaliseBool(name, value string) string {
	def := settingDefaults()[name]
	if def != "on" && def != "off" {
		return value
	}
	switch strings.ToLower(value) {
	case "true", "yes", "1", "on":
		return "on"
	case "false", "no", "0", "off":
		return "off"
	default:
		return value
	}
}

func (s *session) setTimeZone(ctx context.Context, value string) (string, error) {
	name := value
	if strings.EqualFold(value, "default") {
		name = "UTC"
	}
	loc, err := time.LoadLocation(canonicalZone(name))
	if err != nil {
		return "", wire.Errorf(codeInvalidParameter, "invalid value for parameter \"TimeZone\": \"%s\"", value).
			WithHint("Write a name of the IANA time zones, such as Europe/Berlin or UTC.")
	}
	if _, err := s.conn.Exec(ctx, "SET TimeZone = "+quoteLiteral(loc.String())); err != nil {
		return "", err
	}
	s.client.SetLocation(loc)
	return loc.String(), nil
}

// canonicalZone turns a fixed offset, in whole hours east of UTC, into the
// name that the zone has; the sign of Etc/GMT counts to the west.
func canonicalZone(name string) string {
	switch strings.ToUpper(name) {
	case "UTC", "GMT", "Z":
		return "UTC"
	}
	hours, err := strconv.Atoi(strings.TrimSuffix(name, ":00"))
	if err != nil || hours < -14 || hours > 14 {
		return name
	}
	if hours == 0 {
		return "UTC"
	}
	return fmt.Sprintf("Etc/GMT%+d", -hours)
}

// parseTimeout reads a length of time; a bare number is milliseconds.
func parseTimeout(value string) (time.Duration, bool) {
	text := strings.TrimSpace(value)
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz ")
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || n < 0 {
		return 0, false
	}
	units := map[string]time.Duration{"": time.Millisecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour}
	unit, ok := units[strings.TrimSpace(text[len(digits):])]
	return time.Duration(n * float64(unit)), ok
}

func formatTimeout(d time.Duration) string {
	for _, u := range []struct {
		unit string
		d    time.Duration
	}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"min", time.Minute}, {"s", time.Second}} {
		if d >= u.d && d%u.d == 0 {
			return fmt.Sprintf("%d%s", d/u.d, u.unit)
		}
	}
	if d == 0 {
		return "0"
	}
	return fmt.Sprintf("%dms", d.Milliseconds())
}

// duration is the value of a timeout; 0 is none.
func (g *settings) duration(name string) time.Duration {
	d, _ := parseTimeout(g.get(name))
	return d
}

// explicitDuration is duration, and whether it was set in this session.
func (g *settings) explicitDuration(name string) (time.Duration, bool) {
	_, set := g.values[name]
	return g.duration(name), set
}

// endLocal ends the settings' part of a transaction: what SET LOCAL changed
// goes back, and after a rollback everything that changed.
func (g *settings) endLocal(committed bool) {
	for name, value := range g.before {
		if committed && !g.local[name] {
			continue
		}
		g.values[name] = value
		g.stale = true
		g.report(name)
	}
	clear(g.before)
	clear(g.local)
}

// showsNotice applies client_min_messages.
func (g *settings) showsNotice(severity string) bool {
	rank := map[string]int{"debug5": 0, "debug4": 0, "debug3": 0, "debug2": 0, "debug1": 0, "debug": 0, "log": 1, "info": 2, "notice": 3, "warning": 4, "error": 5, "fatal": 6, "panic": 7}
	return severity == wire.SeverityInfo || rank[strings.ToLower(severity)] >= rank[strings.ToLower(g.get("client_min_messages"))]
}

// show is the value that SHOW prints.
func (s *session) show(name string) (string, error) {
	switch name {
	case "transaction_isolation":
		if s.txn.explicit && s.txn.level != "" {
			return s.txn.level, nil
		}
		return s.settings.get("default_transaction_isolation"), nil
	case "transaction_read_only":
		if s.txn.explicit && s.txn.readOnly {
			return "on", nil
		}
	}
	if !s.settings.known(name) {
		return "", wire.Errorf("42704", "unrecognized configuration parameter \"%s\"", name).WithHint("SHOW ALL lists the parameters.")
	}
	return s.settings.get(name), nil
}

// reset gives a setting, or all of them for "", its default.
func (s *session) reset(ctx context.Context, name string) error {
	names := []string{name}
	if name == "" {
		names = names[:0]
		for n := range s.settings.values {
			if n != "session_authorization" {
				names = append(names, n)
			}
		}
	}
	for _, n := range names {
		if strings.Contains(n, ".") {
			delete(s.settings.values, n)
			continue
		}
		if err := s.set(ctx, n, settingDefaults()[n], false); err != nil {
			return err
		}
		if s.txn.explicit {
			continue
		}
		delete(s.settings.values, n)
		delete(s.settings.before, n)
	}
	return nil
}

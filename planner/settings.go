package planner

import (
	"context"
	"maps"
	"sort"
	"strings"
	"time"

	"github.com/sessiondb/sessiondb/wire"
)

// ServerVersion is the Postgres version whose behaviour sessiondb follows, as
// server_version reports it.
const ServerVersion = "15.14 (sessiondb)"

// settings are a session's run-time parameters, as SET and SHOW know them. A
// parameter has the value of the transaction (SET LOCAL), else that of the
// session (SET), else that of a new session.
type settings struct {
	client   *wire.Client
	initial  map[string]string // of a new session, what start-up named among it
	session  map[string]string // what SET changed
	local    map[string]string // what SET LOCAL changed, until the transaction ends
	before   *settingsPoint    // at the start of the transaction; nil: nothing was set in it
	stale    bool              // the catalogs show older values
	engine   string            // the time zone that DuckDB has
	zone     *time.Location    // what location loaded last
	zoneName string            // and for which value

	reported map[string]string // what the client was told last
}

// A settingsPoint is what the settings were at one moment, which a rollback
// goes back to.
type settingsPoint struct{ session, local map[string]string }

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
	return &settings{
		client: c, initial: settingDefaults(), session: map[string]string{}, local: map[string]string{},
		reported: settingDefaults(), engine: defaultZone,
	}
}

// applyStartup takes the settings that the client named at start-up. They are
// what RESET goes back to.
func (s *session) applyStartup(ctx context.Context) error {
	names := make([]string, 0, len(s.client.Params))
	for name := range s.client.Params {
		names = append(names, name)
	}
	sort.Strings(names)
	s.settings.initial["session_authorization"] = s.client.Params["user"]
	s.client.Report("server_version", ServerVersion)
	for _, name := range names {
		switch lower := strings.ToLower(name); lower {
		case "user", "database", "replication", "options":
		default:
			if _, known := s.settings.initial[lower]; !known && !strings.Contains(lower, ".") {
				return unknownSetting(lower)
			}
			value, err := s.normalise(lower, s.client.Params[name])
			if err != nil {
				return err
			}
			s.settings.initial[lower] = value
		}
	}
	if err := s.applySettings(ctx); err != nil {
		return err
	}
	s.reportSettings()
	return s.announce(ctx)
}

// announce tells the catalogs who asks, once there are catalogs.
func (s *session) announce(ctx context.Context) error {
	if s.announced || s.engine.db.Deferred() {
		return nil
	}
	s.announced = true
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
	if err := s.announce(ctx); err != nil {
		return err
	}
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
	out := maps.Clone(g.initial)
	maps.Copy(out, g.session)
	maps.Copy(out, g.local)
	return out
}

// get is a setting's value, "" for one that is not known.
func (g *settings) get(name string) string {
	value, _ := g.lookup(name)
	return value
}

func (g *settings) lookup(name string) (value string, known bool) {
	for _, level := range []map[string]string{g.local, g.session, g.initial} {
		if value, known = level[name]; known {
			return value, true
		}
	}
	return "", false
}

// unknownSetting is Postgres's error about a name that no setting has.
func unknownSetting(name string) error {
	return wire.Errorf("42704", "unrecognized configuration parameter \"%s\"", name).
		WithHint("SHOW ALL lists the parameters; one of your own has a dot in its name.")
}

// set changes a setting for the session, or for the transaction.
func (s *session) set(ctx context.Context, name, value string, local bool) error {
	g := s.settings
	if _, known := g.lookup(name); !known && !strings.Contains(name, ".") {
		return unknownSetting(name)
	}
	if strings.HasPrefix(name, "transaction_") {
		return s.setTransactionSetting(name, value)
	}
	value, err := s.normalise(name, value)
	if err != nil {
		return err
	}
	g.keep()
	if local {
		g.local[name] = value
	} else {
		g.session[name] = value
		delete(g.local, name)
	}
	return s.applySettings(ctx)
}

// setTransactionSetting is SET of a setting that SET TRANSACTION stands for; it
// counts for one transaction only.
func (s *session) setTransactionSetting(name, value string) error {
	value, err := normaliseWord(name, value)
	if err != nil || !s.txn.explicit {
		return err
	}
	switch name {
	case "transaction_isolation":
		return s.setModes(TxModes{Isolation: value})
	case "transaction_read_only":
		access := "read write"
		if value == "on" {
			access = "read only"
		}
		return s.setModes(TxModes{Access: access})
	default:
		return nil
	}
}

// reset gives a setting, or all of them for "", the value of a new session.
func (s *session) reset(ctx context.Context, name string) error {
	g := s.settings
	if name == "" {
		g.keep()
		clear(g.session)
		clear(g.local)
		return s.applySettings(ctx)
	}
	if _, known := g.lookup(name); !known {
		return unknownSetting(name)
	}
	if err := fixedSetting(name); err != nil {
		return err
	}
	g.keep()
	delete(g.session, name)
	delete(g.local, name)
	if _, ok := g.initial[name]; !ok {
		g.session[name] = "" // one of the client's own is known from then on
	}
	return s.applySettings(ctx)
}

// keep remembers the settings before the first change of a transaction.
func (g *settings) keep() {
	if g.before == nil {
		p := g.point()
		g.before = &p
	}
}

func (g *settings) point() settingsPoint {
	return settingsPoint{maps.Clone(g.session), maps.Clone(g.local)}
}

// restoreSettings makes the settings those of p.
func (s *session) restoreSettings(ctx context.Context, p settingsPoint) error {
	s.settings.session, s.settings.local = maps.Clone(p.session), maps.Clone(p.local)
	return s.applySettings(ctx)
}

// endSettings ends the settings' part of a transaction: what SET LOCAL changed
// goes back, and after a rollback everything that changed.
func (s *session) endSettings(ctx context.Context, committed bool) error {
	g := s.settings
	before := g.before
	g.before = nil
	switch {
	case before == nil:
		return nil
	case !committed:
		return s.restoreSettings(ctx, *before)
	default:
		clear(g.local)
		return s.applySettings(ctx)
	}
}

// applySettings lets those who follow a setting know that some changed.
func (s *session) applySettings(ctx context.Context) error {
	s.settings.stale = true
	return s.applyZone(ctx)
}

// reportSettings tells the client the settings that it does not know yet, as
// Postgres does before each ReadyForQuery.
func (s *session) reportSettings() {
	g := s.settings
	for _, name := range reportedSettings() {
		if value := g.get(name); g.reported[name] != value {
			g.reported[name] = value
			g.client.Report(reportedName(name), value)
		}
	}
}

// duration is the value of a timeout; 0 is none.
func (g *settings) duration(name string) time.Duration {
	d, _ := parseTimeout(g.get(name))
	return d
}

// explicitDuration is duration, and whether it was set in this session.
func (g *settings) explicitDuration(name string) (time.Duration, bool) {
	_, local := g.local[name]
	_, session := g.session[name]
	return g.duration(name), local || session || g.initial[name] != "0"
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
		if s.txn.explicit {
			return onOff(s.txn.readOnly), nil
		}
		return s.settings.get("default_transaction_read_only"), nil
	}
	value, known := s.settings.lookup(name)
	if !known {
		return "", unknownSetting(name)
	}
	return value, nil
}

func onOff(b bool) string {
	if b {
		return "on"
	}
	return "off"
}

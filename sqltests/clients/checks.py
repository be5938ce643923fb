"""Named checks of a client: each prints one line, the first failure ends the program."""
import sys
import traceback


def run(checks):
    for name, check in checks:
        try:
            check()
        except Exception:
            traceback.print_exc()
            sys.exit(f"failed: {name}")
        print("ok", name)
    print(f"{len(checks)} checks passed")


def equal(got, want):
    if got != want:
        raise AssertionError(f"got {got!r}, want {want!r}")


def fails(error, what):
    """Returns the error of the class given that what raises."""
    try:
        what()
    except error as e:
        return e
    raise AssertionError(f"no {error.__name__}")


TABLE = "CREATE TABLE events (event_id bigint PRIMARY KEY, account_id text NOT NULL, event_at timestamptz, amount numeric(12,2))"
VIEW = "CREATE MATERIALIZED VIEW visits AS SELECT * FROM SESSIONIZE(events, key => account_id, gap => '11 min', amount => sum(amount))"

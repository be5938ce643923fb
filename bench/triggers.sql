-- What somebody would write in PostgreSQL to keep sessions by account with a
-- gap of 11 minutes: the competitors of a maintained view.

CREATE TABLE events (event_id bigint PRIMARY KEY, account_id bigint NOT NULL, event_at timestamptz NOT NULL, amount numeric(12,2));

CREATE TABLE sessions (
  account_id bigint NOT NULL,
  session_start timestamptz NOT NULL,
  session_end timestamptz NOT NULL,
  event_count bigint NOT NULL,
  amount numeric,
  PRIMARY KEY (account_id, session_start)
) WITH (fillfactor = 80);

-- One event at a time: finds the sessions within the gap by the primary key,
-- extends the first in place and deletes the others.
CREATE FUNCTION sessions_by_row() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  gap CONSTANT interval := '11 minutes';
  near record;
  found_one timestamptz;
  lo timestamptz := NEW.event_at;
  hi timestamptz := NEW.event_at;
  members bigint := 1;
  total numeric := NEW.amount;
BEGIN
  PERFORM pg_advisory_xact_lock(NEW.account_id); -- writers of one account take turns
  FOR near IN
    SELECT * FROM sessions
     WHERE account_id = NEW.account_id AND session_start <= NEW.event_at + gap AND session_end >= NEW.event_at - gap
     ORDER BY session_start FOR UPDATE
  LOOP
    lo := least(lo, near.session_start);
    hi := greatest(hi, near.session_end);
    members := members + near.event_count;
    total := total + near.amount;
    IF found_one IS NULL THEN
      found_one := near.session_start;
    ELSE
      DELETE FROM sessions WHERE account_id = NEW.account_id AND session_start = near.session_start;
    END IF;
  END LOOP;
  IF found_one IS NULL THEN
    INSERT INTO sessions VALUES (NEW.account_id, lo, hi, members, total);
  ELSE
    UPDATE sessions SET session_start = lo, session_end = hi, event_count = members, amount = total
     WHERE account_id = NEW.account_id AND session_start = found_one;
  END IF;
  RETURN NULL;
END $$;

-- A whole statement at a time: cuts its rows into islands, takes out the
-- sessions that these reach, and cuts both together again. The planner has no
-- statistics of a transition table, so it is told to probe the index.
CREATE FUNCTION sessions_by_statement() RETURNS trigger LANGUAGE plpgsql
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(account_id) FROM (SELECT DISTINCT account_id FROM arrived ORDER BY 1) AS accounts;
  CREATE TEMP TABLE IF NOT EXISTS pieces (LIKE sessions) ON COMMIT DELETE ROWS;
  DELETE FROM pieces;
  INSERT INTO pieces
  SELECT account_id, min(event_at), max(event_at), count(*), sum(amount)
    FROM (SELECT *, sum(opens) OVER (PARTITION BY account_id ORDER BY event_at, event_id) AS island
            FROM (SELECT *, CASE WHEN event_at - lag(event_at) OVER (PARTITION BY account_id ORDER BY event_at, event_id)
                                      <= interval '11 minutes' THEN 0 ELSE 1 END AS opens FROM arrived) AS gaps) AS islands
   GROUP BY account_id, island;
  WITH reached AS (
    DELETE FROM sessions AS s USING pieces AS p
     WHERE s.account_id = p.account_id
       AND s.session_start <= p.session_end + interval '11 minutes' AND s.session_end >= p.session_start - interval '11 minutes'
    RETURNING s.*)
  INSERT INTO pieces SELECT DISTINCT * FROM reached;
  INSERT INTO sessions
  SELECT account_id, min(session_start), max(session_end), sum(event_count), sum(amount)
    FROM (SELECT *, sum(opens) OVER (PARTITION BY account_id ORDER BY session_start, session_end) AS island
            FROM (SELECT *, CASE WHEN session_start - max(session_end) OVER (
                                   PARTITION BY account_id ORDER BY session_start, session_end
                                   ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) <= interval '11 minutes'
                                 THEN 0 ELSE 1 END AS opens FROM pieces) AS gaps) AS islands
   GROUP BY account_id, island;
  RETURN NULL;
END $$;

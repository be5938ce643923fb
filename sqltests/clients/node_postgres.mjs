// Sessions through node-postgres: pool, prepared statements, types, cursors,
// COPY, notifications, transactions, errors.
// Usage: node node_postgres.mjs URL
import { deepStrictEqual as equal, rejects } from 'node:assert';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import copy from 'pg-copy-streams';
import Cursor from 'pg-cursor';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.argv[2], max: 4 });
const rows = async (text, values) => (await pool.query(text, values)).rows;
const at = minute => new Date(Date.UTC(2026, 9, 6, 9, minute));

async function withClient(use) {
  const client = await pool.connect();
  try {
    return await use(client);
  } finally {
    client.release();
  }
}

const checks = {
  async tables() {
    await pool.query('CREATE TABLE events (event_id bigint PRIMARY KEY, account_id text NOT NULL, event_at timestamptz, amount numeric(12,2))');
    await pool.query("CREATE MATERIALIZED VIEW visits AS SELECT * FROM SESSIONIZE(events, key => account_id, gap => '11 min', amount => sum(amount))");
    equal(await rows("SELECT matviewname FROM pg_matviews WHERE matviewname = 'visits'"), [{ matviewname: 'visits' }]);
  },

  async 'the late bridge'() {
    const insert = 'INSERT INTO events VALUES ($1, $2, $3, $4)';
    equal((await pool.query(insert, [1, 'a', at(0), '74'])).rowCount, 1);
    await pool.query(insert, [2, 'a', at(22), '51']);
    equal(await rows('SELECT count(*), sum(amount) FROM visits'), [{ count: '2', sum: '125.00' }]);
    await pool.query(insert, [3, 'a', at(11), '9']);
    equal(await rows('SELECT session_start, session_end, event_count, amount FROM visits'),
      [{ session_start: at(0), session_end: at(22), event_count: '3', amount: '134.00' }]);
    const [one, two, merged] = await rows('SELECT revision_id, change, supersedes FROM visits_revisions ORDER BY published_commit, session_start');
    equal([one.change, two.change, merged.change], ['open', 'open', 'merge']);
    equal(merged.supersedes, `{${one.revision_id},${two.revision_id}}`.slice(1, -1).split(','));
  },

  async types() {
    const sent = [-32768, 2147483647, '-9223372036854775808', 1.5, 5e-324, true, '-0.0123456789', 'ä€🙂\'"\\', Buffer.from([0, 255]), at(0), { a: [1, null] }, [1, null, -3], ['a b', '', null]];
    const as = ['int2', 'int4', 'int8', 'float4', 'float8', 'bool', 'numeric', 'text', 'bytea', 'timestamptz', 'json', 'int4[]', 'text[]'];
    const list = as.map((type, i) => `$${i + 1}::${type} AS c${i}`).join(', ');
    const { rows: [row], fields } = await pool.query({ text: `SELECT ${list}`, values: sent });
    equal(Object.values(row), sent);
    equal(fields.map(f => f.dataTypeID), [21, 23, 20, 700, 701, 16, 1700, 25, 17, 1184, 114, 1007, 1009]);
  },

  async 'named statements'() {
    await withClient(async client => {
      for (const id of [1, 2, 3, 1]) {
        const { rows: [row] } = await client.query({ name: 'amount', text: 'SELECT amount FROM events WHERE event_id = $1', values: [id] });
        equal(row.amount, { 1: '74.00', 2: '51.00', 3: '9.00' }[id]);
      }
    });
  },

  async transactions() {
    await withClient(async client => {
      await client.query('BEGIN');
      await client.query("INSERT INTO events VALUES (4, 'b', $1, 1)", [at(0)]);
      equal((await client.query("SELECT count(*)::int AS n FROM visits WHERE account_id = 'b'")).rows, [{ n: 1 }]);
      equal(await rows("SELECT count(*)::int AS n FROM visits WHERE account_id = 'b'"), [{ n: 0 }]);
      await client.query('ROLLBACK');
    });
    equal(await rows("SELECT count(*)::int AS n FROM visits WHERE account_id = 'b'"), [{ n: 0 }]);
  },

  async COPY() {
    await withClient(async client => {
      const lines = Array.from({ length: 500 }, (_, i) => `${1000 + i}\tc\t${at(i).toISOString()}\t2.50\n`);
      await pipeline(Readable.from(lines), client.query(copy.from('COPY events FROM STDIN')));
      let text = '';
      for await (const part of client.query(copy.to("COPY (SELECT event_count, amount FROM visits WHERE account_id = 'c') TO STDOUT (FORMAT csv)"))) text += part;
      equal(text, '500,1250.00\n');
    });
  },

  async cursors() {
    await withClient(async client => {
      const cursor = client.query(new Cursor("SELECT event_id FROM events WHERE account_id = 'c' ORDER BY event_id"));
      equal((await cursor.read(3)).map(r => r.event_id), ['1000', '1001', '1002']);
      equal((await cursor.read(1000)).length, 497);
      await cursor.close();
    });
  },

  async notifications() {
    await withClient(async client => {
      await client.query('LISTEN visits');
      const heard = once(client, 'notification');
      await pool.query("INSERT INTO events VALUES (5, 'n', $1, 1)", [at(0)]);
      const [{ channel, payload }] = await heard;
      equal([channel, JSON.parse(payload).published], ['visits', 1]);
      await client.query('UNLISTEN *');
    });
  },

  async errors() {
    await rejects(pool.query('SELECT amout FROM visits'), { code: '42703', position: '8' });
    await rejects(pool.query("INSERT INTO events VALUES (1, 'a', now(), 1)"), { code: '23505', table: 'events', constraint: 'events_pkey' });
    await rejects(pool.query({ text: 'SELECT $1::int', values: ['x'] }), { code: '22P02' });
  },

  async proof() {
    equal(await rows("SELECT * FROM sessiondb.verify('visits')"), []);
  },
};

for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log('ok', name);
}
console.log(`${Object.keys(checks).length} checks passed`);
await pool.end();

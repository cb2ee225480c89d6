import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Reader, StatementObserver, Topic } from '../engine.ts';
import type { SqlValue } from '../rows.ts';
import { isConnectionError, isStalePlan, readTimeout, toDatabaseError } from './errors.ts';

/** A statement as PostgreSQL takes it, and what follows from its text. */
interface PreparedStatement {
  /** The text with `?`. */
  readonly source: string;
  readonly text: string;
  /** The name under which connections prepare it; undefined if it is not worth it. */
  readonly name: string | undefined;
  /** The tables that it writes. */
  readonly tables: readonly string[];
  /** What a write concerns that other processes want to know. */
  readonly topics: readonly Topic[];
}

/** The service has far fewer; the bound is for statements with lists of every length, which are not prepared. */
const maxPrepared = 1000;

const tablesOfTopic: Readonly<Record<Topic, readonly string[]>> = {
  access: ['accounts', 'api_keys', 'users', 'memberships', 'oauth_clients', 'oauth_grants', 'oauth_tokens'],
  deliveries: ['deliveries'],
};

/** The statements of all connections, by their source. */
const known = new Map<string, PreparedStatement>();

/** The statement of PostgreSQL for one with `?`. */
export function findStatement(source: string): PreparedStatement {
  const found = known.get(source);
  if (found !== undefined) return found;
  const statement = translate(source);
  if (known.size >= maxPrepared) return { ...statement, name: undefined };
  known.set(source, statement);
  return statement;
}

/**
 * Has a statement parsed with every use from now on. Its columns have changed, because a newer version of the service has
 * migrated the database, and the server refuses the plans that connections have for it.
 */
export function stopPreparing({ source }: PreparedStatement): void {
  const statement = known.get(source);
  if (statement !== undefined) known.set(source, { ...statement, name: undefined });
}

/** When the server does not answer at all. */
const responseTimeoutMs = 15_000;

/**
 * Sends a statement. With a callback: where pg makes the promise, or
 * keeps the time, V8 keeps every result until the next full garbage collection.
 */
export function sendStatement(
  client: pg.ClientBase,
  { text, name }: Pick<PreparedStatement, 'text'> & Partial<PreparedStatement>,
  values: readonly unknown[] = [],
): Promise<pg.QueryResult> {
  const query = { text, values: values.map(toStorable), ...(name === undefined ? {} : { name }) };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(readTimeout));
      // Nothing that was sent after it is answered either.
      closeSocket(client);
    }, responseTimeoutMs);
    client.query(query, (error: Error | null, result) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result);
    });
  });
}

/** At once: pg ends a connection only after its last answer. */
function closeSocket(client: pg.ClientBase): void {
  if ('connection' in client) (client.connection as pg.Connection).stream.destroy();
}

/** PostgreSQL stores no NUL characters. Records are JSON, which escapes them; this is for IDs and search texts. */
function toStorable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}

const writing = /\b(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)"?/gi;

function translate(source: string): PreparedStatement {
  const text = numberPlaceholders(source);
  const tables = [...text.matchAll(writing)].map(([, table = '']) => table);
  const topics = (['access', 'deliveries'] as const).filter((topic) =>
    tables.some((table) => tablesOfTopic[topic].includes(table)),
  );
  // The same for the same text in every process: behind a pooler, they share connections.
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { source, text, name, tables, topics };
}

/** Replaces each `?` outside of quotes by `$1`, `$2` and so on. */
export function numberPlaceholders(text: string): string {
  let count = 0;
  return text.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => {
    if (part !== '?') return part;
    count += 1;
    return `$${count}`;
  });
}

/** Reads. What fails because its connection was lost, or its plan is stale, is read again, once. */
export function createReader(pool: pg.Pool, observe: StatementObserver = () => {}): Reader {
  async function read(statement: PreparedStatement, values: readonly SqlValue[]) {
    const client = await pool.connect();
    try {
      const { rows } = await sendStatement(client, statement, values);
      client.release();
      return rows;
    } catch (error) {
      // Its state is unknown, so the connection is closed.
      client.release(true);
      throw error;
    }
  }

  return {
    async run(text, values) {
      const statement = findStatement(text);
      const startMs = performance.now();
      try {
        const rows = await read(statement, values).catch((error: unknown) => {
          if (isStalePlan(error)) stopPreparing(statement);
          else if (!isConnectionError(error)) throw error;
          return read(statement, values);
        });
        observe({ text: statement.text, ms: performance.now() - startMs, rows: rows.length });
        return rows;
      } catch (error) {
        throw toDatabaseError(error);
      }
    },
  };
}

import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Whether this run tests on PostgreSQL. */
export const isPostgres = process.env['SALON_TEST_ENGINE'] === 'postgres';

/** The server, as a user who may create databases, and the name of an empty salon database on it. */
export interface PostgresServer {
  readonly address: string;
  readonly template: string;
}

/** The server of this run. Throws if there is none. */
function findPostgresServer(): PostgresServer {
  const { SALON_TEST_POSTGRES: address, SALON_TEST_TEMPLATE: template } = process.env;
  if (address === undefined || template === undefined) throw new Error('This run has no PostgreSQL.');
  return { address, template };
}

/** The location of a database on the server. */
export function toDatabaseLocation({ address }: PostgresServer, name: string): string {
  return Object.assign(new URL(address), { pathname: `/${name}` }).href;
}

/** A database that is dropped at the end, whoever still uses it. */
export interface PostgresDatabase extends AsyncDisposable {
  readonly location: string;
  readonly name: string;
}

/** Creates a database as a copy of the empty salon's, or of another one. */
export async function createPostgresDatabase(source?: string): Promise<PostgresDatabase> {
  const server = findPostgresServer();
  const name = `${server.template}_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name} template ${source ?? server.template} strategy file_copy`);
  return {
    name,
    location: toDatabaseLocation(server, name),
    [Symbol.asyncDispose]: async () => {
      // Nobody waits for it: the server first waits for its other connections to end. What is left goes with the run.
      administer(`drop database if exists ${name} with (force)`).catch(() => {});
    },
  };
}

let administrator: pg.Pool | undefined;

/** Runs a statement on the server, as its administrator. */
export async function administer(statement: string): Promise<pg.QueryResult> {
  const { address } = findPostgresServer();
  administrator ??= new pg.Pool({ connectionString: address, ssl: false, max: 2, allowExitOnIdle: true });
  return administrator.query(statement);
}

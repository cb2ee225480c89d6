/** What the process of a query is sent. */
export interface QueryJob {
  readonly file: string;
  /** A second file, whose tables are `other.<name>`. */
  readonly attached: string | undefined;
  readonly sql: string;
}

/** What it writes, a line of JSON each: the columns, then rows up to the last ones, or an error. */
export interface Message {
  readonly columns?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly isEnd?: true;
  readonly error?: string;
  readonly hint?: string;
  /** Whether another program held the file. */
  readonly isBusy?: boolean;
}

/**
 * Runs one query on files that it only reads. As a text, because a bundle has no file for a process. In the process of the
 * command, a long query could not be ended.
 */
export const queryScript = `
const { DatabaseSync, constants } = process.getBuiltinModule('node:sqlite');
const { readFileSync, writeSync } = process.getBuiltinModule('node:fs');
const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_PRAGMA } = constants;
const reading = [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE];
const schemaPragmas = /^(table_x?info|table_list|index_list|index_x?info|function_list|compile_options)$/;
const refused = 'Refused, because salon sql only runs one SELECT';
let problem;
let hint;

function toJson(value) {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(String(value));
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'number' && !Number.isFinite(value) ? (value > 0 ? 'Inf' : '-Inf') : value;
}

function send(message) {
  const line = Buffer.from(JSON.stringify(message) + '\\n');
  for (let done = 0; done < line.length; ) done += writeSync(1, line, done);
}

function authorize(action, name) {
  if (reading.includes(action) || (action === SQLITE_PRAGMA && schemaPragmas.test(name))) return constants.SQLITE_OK;
  problem = refused;
  return constants.SQLITE_DENY;
}

function compile(database, sql) {
  try {
    return database.prepare(sql);
  } catch (error) {
    const views = "select group_concat(name, ', ' order by name) as names from sqlite_schema where type = 'view'";
    if (error.message.startsWith('no such table')) hint = 'Views: ' + database.prepare(views).get().names;
    throw error;
  }
}

function prepare(database, sql) {
  const statement = compile(database, sql);
  const { sourceSQL, expandedSQL } = statement;
  problem = refused;
  // SQLite would take NULL for it.
  if (expandedSQL !== sourceSQL) throw new Error('a parameter has no value');
  try {
    // It compiles the first statement alone.
    database.prepare(sql.slice(sourceSQL.length));
    throw new Error('there are several statements');
  } catch (error) {
    if (error.code !== 'ERR_INVALID_ARG_VALUE') throw error;
  }
  return statement;
}

function run({ file, attached, sql }) {
  problem = 'Cannot read ' + file;
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  database.exec('pragma query_only = on; select 1 from sqlite_schema');
  if (attached !== undefined) {
    problem = 'Cannot read ' + attached;
    database.prepare('attach ? as other').run(attached);
    database.exec('select 1 from other.sqlite_schema');
  }
  problem = 'The query failed';
  database.setAuthorizer(authorize);
  const statement = prepare(database, sql);
  problem = 'The query failed';
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  send({ columns: statement.columns().map(({ name }) => name) });
  let rows = [];
  for (const row of statement.iterate()) {
    rows.push(row.map(toJson));
    if (rows.length < 500) continue;
    send({ rows });
    rows = [];
  }
  send({ rows, isEnd: true });
}

const job = readFileSync(0, 'utf8');
try {
  if (job !== '') run(JSON.parse(job));
} catch ({ message, errcode }) {
  // SQLITE_BUSY
  send({ error: problem + ': ' + message.replace(/\\.$/, '') + '.', hint, isBusy: (errcode & 0xff) === 5 });
}`;

/** Tells an executable, which takes no `--eval`, to run that script. */
export const queryVariable = 'RUN_QUERY';

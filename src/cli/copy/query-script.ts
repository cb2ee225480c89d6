/**
 * Runs one query on files that it only reads, and writes lines of JSON: the columns, arrays of rows, the end or an error.
 * As a text, because a bundle has no file for a process. In this process a long query could not be ended.
 */
export const queryScript = `
const { DatabaseSync, constants } = process.getBuiltinModule('node:sqlite');
const { writeSync } = process.getBuiltinModule('node:fs');
const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_PRAGMA } = constants;
const reading = [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE];
const schemaPragmas = /^(table_x?info|table_list|index_list|index_x?info|function_list|compile_options)$/;

const exact = (value) => (Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(String(value)));
const toJson = (value) => {
  if (typeof value === 'bigint') return exact(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'number' && !Number.isFinite(value) ? (value > 0 ? 'Inf' : '-Inf') : value;
};

function send(message) {
  const line = Buffer.from(JSON.stringify(message) + '\\n');
  for (let done = 0; done < line.length; ) done += writeSync(1, line, done);
}

function isAllowed(action, name) {
  return reading.includes(action) || (action === SQLITE_PRAGMA && schemaPragmas.test(name));
}

function open({ file, attached }) {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  database.exec('pragma query_only = on');
  database.prepare('select count(*) from sqlite_schema').get();
  if (attached !== undefined) {
    database.prepare('attach ? as other').run(attached);
    database.prepare('select count(*) from other.sqlite_schema').get();
  }
  return database;
}

function run(database, sql, state) {
  database.setAuthorizer((action, name) => {
    if (isAllowed(action, name)) return constants.SQLITE_OK;
    state.isRefused = true;
    return constants.SQLITE_DENY;
  });
  const statement = database.prepare(sql);
  const problem = findProblem(database, statement, sql);
  if (problem !== undefined) {
    state.isRefused = true;
    throw new Error(problem);
  }
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

function findProblem(database, { sourceSQL, expandedSQL }, sql) {
  // SQLite would take NULL for it.
  if (expandedSQL !== sourceSQL) return 'a parameter has no value';
  try {
    // It compiles the first statement alone.
    database.prepare(sql.slice(sourceSQL.length));
  } catch (error) {
    if (error.code === 'ERR_INVALID_ARG_VALUE') return undefined;
  }
  return 'only one statement can be run';
}

process.once('message', (job) => {
  const state = { isOpen: false, isRefused: false };
  try {
    const database = open(job);
    state.isOpen = true;
    run(database, job.sql, state);
  } catch (error) {
    send({ error: error.message, ...state });
  }
  process.disconnect();
});`;

/** Tells an executable, which takes no `--eval`, to run that script. */
export const queryVariable = 'RUN_QUERY';

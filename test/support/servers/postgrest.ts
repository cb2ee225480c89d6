import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  contractFields,
  empty,
  mediaTypeOf,
  notAllowed,
  now,
  type OtherServerOptions,
  openOtherServer,
  readInteger,
  readObject,
  type ServerKind,
  sortRows,
} from './other-server.ts';

/**
 * PostgREST 14: https://docs.postgrest.org/en/v14/references/api/, pages "Tables and views", "Pagination and count",
 * "Preferences", and https://docs.postgrest.org/en/v14/references/errors.html. Every unknown parameter is a filter and
 * must parse as one, pages are cut at `db-max-rows` in silence, 206 and a total only with `count=exact`, 416 behind the
 * end, a PATCH or DELETE that finds no row succeeds with an empty array, and without a filter concerns every row. A
 * table without an order moves changed rows to its end.
 */
export const postgrest: ServerKind = {
  name: 'PostgREST',
  dialect: 'postgrest',
  addresses: { prefix: '', itemPath: '/{resource}?id=eq.{id}' },
  fields: contractFields,
  open: openPostgrest,
};

const columns = [
  'id',
  ...Object.values(contractFields),
  'loyalty_number',
  'balance',
  'created_at',
  'updated_at',
];

function openPostgrest(options: OtherServerOptions = {}) {
  const { count = 7, maxPageSize = 1_000 } = options;
  const store = createClientStore({ count, toId: options.toId });
  const unauthorized = fail(401, 'PGRST301', 'No suitable key or wrong key type');
  return openOtherServer({ store, handle, unauthorized, failure }, options);

  function handle(request: Received): Reply {
    const { method, path, query } = request;
    if (path.split('/').length > 2) return fail(404, 'PGRST125', 'Invalid path specified in request URL');
    if (path !== '/clients')
      return fail(404, 'PGRST205', `Could not find the table 'public.${path.slice(1)}'`);
    const filter = parseFilters(query);
    if ('refusal' in filter) return filter.refusal;
    if (method === 'GET') return read(request, store.all().filter(filter.matches));
    if (method === 'DELETE') return remove(request, store.all().filter(filter.matches));
    if (method !== 'POST' && method !== 'PATCH') return notAllowed('GET, POST, PATCH, DELETE');
    if (!['application/json', ''].includes(mediaTypeOf(request)))
      return fail(415, 'PGRST102', `Content-Type not acceptable: ${mediaTypeOf(request)}`);
    const body = readObject(request);
    if (body === undefined) return fail(400, 'PGRST102', 'Empty or invalid json');
    const unknown = Object.keys(body).find((name) => !columns.includes(name));
    if (unknown !== undefined) {
      const message = `Could not find the '${unknown}' column of 'clients' in the schema cache`;
      return fail(400, 'PGRST204', message);
    }
    if (method === 'POST') return answerWrite(request, [store.add(withDefaults(body))], 201);
    const changed = store
      .all()
      .filter(filter.matches)
      .map((row) => store.replaceAtEnd(String(row['id']), { ...row, ...body, updated_at: now() }));
    return answerWrite(request, changed, 200);
  }

  function remove(request: Received, rows: readonly Row[]): Reply {
    for (const row of rows) store.remove(String(row['id']));
    return answerWrite(request, rows, 200);
  }

  function read(request: Received, matching: readonly Row[]): Reply {
    const { query, headers } = request;
    const [field = '', direction] = (query.get('order') ?? '').split('.');
    if (field !== '' && !columns.includes(field)) return missingColumn(field);
    const rows = field === '' ? matching : sortRows(matching, field, direction === 'desc');
    const [, from, to] = /^(\d+)-(\d*)$/.exec(String(headers['range'] ?? '')) ?? [];
    const offset = readInteger(query.get('offset')) ?? Number(from ?? 0);
    const asked = readInteger(query.get('limit')) ?? (to ? Number(to) - offset + 1 : maxPageSize);
    const limit = Math.min(asked, maxPageSize);
    const isCounted = /count=(exact|planned|estimated)/.test(String(headers['prefer'] ?? ''));
    if (isCounted && offset > 0 && offset >= rows.length) {
      return fail(416, 'PGRST103', 'Requested range not satisfiable', {
        details: `An offset of ${offset} was requested, but there are only ${rows.length} rows.`,
      });
    }
    const page = rows.slice(offset, offset + limit);
    const range = page.length === 0 ? '*' : `${offset}-${offset + page.length - 1}`;
    const isPartial = isCounted && page.length < rows.length;
    if (/vnd\.pgrst\.object/.test(String(headers['accept'] ?? ''))) {
      if (page.length === 1) return json(page[0]);
      return fail(406, 'PGRST116', 'Cannot coerce the result to a single JSON object');
    }
    return json(page, {
      status: isPartial ? 206 : 200,
      headers: { 'content-range': `${range}/${isCounted ? rows.length : '*'}` },
    });
  }
}

function answerWrite(request: Received, rows: readonly Row[], status: number): Reply {
  const isWanted = /return=representation/.test(String(request.headers['prefer'] ?? ''));
  if (isWanted) return json(rows, { status });
  return empty(status === 201 ? 201 : 204);
}

function withDefaults(body: Row): Row {
  const at = now();
  const blank = Object.fromEntries(columns.slice(1).map((name) => [name, null]));
  return { ...blank, created_at: at, updated_at: at, ...body };
}

const reserved = ['select', 'order', 'limit', 'offset', 'columns', 'on_conflict'];
const operators: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  neq: (value, wanted) => value !== wanted,
  gte: (value, wanted) => value >= wanted,
  gt: (value, wanted) => value > wanted,
  lt: (value, wanted) => value < wanted,
  lte: (value, wanted) => value <= wanted,
  like: (value, pattern) => toPattern(pattern, '').test(value),
  ilike: (value, pattern) => toPattern(pattern, 'i').test(value),
};

type Filter = { readonly matches: (row: Row) => boolean } | { readonly refusal: Reply };

/** Every parameter that is not reserved is a column with an operator and a value; `or` has several in brackets. */
function parseFilters(query: URLSearchParams): Filter {
  const tests: ((row: Row) => boolean)[] = [];
  for (const [name, text] of query) {
    if (reserved.includes(name)) continue;
    const clauses = name === 'or' ? splitClauses(text) : [[name, text] as const];
    const parsed = clauses.map(([column, clause]) => parseClause(column, clause));
    const wrong = parsed.find((one) => typeof one !== 'function');
    if (typeof wrong === 'object') return wrong;
    const all = parsed.filter((one) => typeof one === 'function');
    tests.push((row) => all.some((test) => test(row)));
  }
  return { matches: (row) => tests.every((test) => test(row)) };
}

function splitClauses(text: string): (readonly [string, string])[] {
  const inner = /^\((.*)\)$/.exec(text)?.[1] ?? '';
  return inner.split(',').map((clause) => {
    const dot = clause.indexOf('.');
    return [clause.slice(0, dot), clause.slice(dot + 1)] as const;
  });
}

function parseClause(column: string, text: string): ((row: Row) => boolean) | { readonly refusal: Reply } {
  const [, operator = '', value = ''] = /^(\w+)\.(.*)$/su.exec(text) ?? [];
  const test = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (test === undefined) {
    const message = `"failed to parse filter (${text})" (line 1, column 1)`;
    return { refusal: fail(400, 'PGRST100', message) };
  }
  if (!columns.includes(column)) return { refusal: missingColumn(column) };
  const wanted = value.replace(/^"(.*)"$/, '$1');
  return (row) => row[column] !== null && row[column] !== undefined && test(String(row[column]), wanted);
}

function toPattern(pattern: string, flags: string): RegExp {
  return new RegExp(`^${pattern.split(/[*%]/).map(RegExp.escape).join('.*')}$`, `s${flags}`);
}

function missingColumn(column: string): Reply {
  return fail(400, '42703', `column clients.${column} does not exist`);
}

function fail(status: number, code: string, message: string, more: { details?: string } = {}): Reply {
  return json({ code, details: null, hint: null, message, ...more }, { status });
}

/** PostgREST itself never does this; a gateway in front of it may. */
function failure(status: 200): Reply {
  return json({ error: 'upstream request failed' }, { status });
}

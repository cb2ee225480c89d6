import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  contractFields,
  empty,
  mentions,
  notAllowed,
  now,
  type OtherServerOptions,
  omit,
  openOtherServer,
  originOf,
  readInteger,
  readObject,
  type ServerKind,
  sortRows,
} from './other-server.ts';

/**
 * OData 4.01: https://docs.oasis-open.org/odata/odata/v4.01/odata-v4.01-part1-protocol.html, sections 11.2 "Requesting
 * data", 11.3 "Data modification", and the JSON format. Pages by the server with `@odata.nextLink`, `$top` and `$skip`
 * over all of it, keys in brackets, PATCH merges and PUT replaces, weak entity tags, unknown `$` options refused and
 * others ignored (as ASP.NET Core OData does, with 204 to writes unless a representation is preferred).
 */
export const odata: ServerKind = {
  name: 'OData',
  dialect: 'odata',
  addresses: { prefix: '', resources: { clients: 'Clients' }, itemPath: '/{resource}({key})' },
  fields: contractFields,
  open: openOData,
};

const systemOptions = [
  '$filter',
  '$select',
  '$orderby',
  '$top',
  '$skip',
  '$count',
  '$search',
  '$expand',
  '$skiptoken',
];

function openOData(options: OtherServerOptions = {}) {
  const { count = 7, maxPageSize = 50 } = options;
  const store = createClientStore({ count, toId: options.toId });
  const tags = new Map<string, number>();
  const unauthorized = fail(401, 'Unauthorized', 'No credentials.');
  return openOtherServer({ store, path: '/odata', handle, unauthorized, failure }, options);

  function handle(request: Received): Reply {
    const [, key] = /^\/odata\/Clients(?:\((.+)\))?$/.exec(decodeURIComponent(request.path)) ?? [];
    if (!/^\/odata\/Clients(\(|$)/.test(decodeURIComponent(request.path)))
      return fail(404, 'NotFound', `Resource not found for the segment '${request.path.split('/')[2]}'.`);
    if (key !== undefined) return handleOne(request, key);
    if (request.method === 'GET') return list(request);
    if (request.method !== 'POST') return notAllowed('GET, POST');
    const body = readObject(request);
    const refusal = checkBody(body);
    if (body === undefined || refusal !== undefined) return refusal ?? fail(400, 'BadRequest', 'No object.');
    const at = now();
    const row = store.add({ ...blank, ...omit(body, ['id']), created_at: at, updated_at: at });
    return answerOne(row, request, 201);
  }

  function list(request: Received): Reply {
    const { query } = request;
    const unknown = [...query.keys()].find((name) => name.startsWith('$') && !systemOptions.includes(name));
    if (unknown !== undefined)
      return fail(400, 'BadRequest', `The query parameter '${unknown}' is not supported.`);
    const filter = parseFilter(query.get('$filter'));
    if (filter === undefined) return fail(400, 'BadRequest', 'The query specified in the URI is not valid.');
    const [field = '', direction] = (query.get('$orderby') ?? 'id').split(' ');
    if (!Object.hasOwn(blank, field) && !['id', 'created_at', 'updated_at'].includes(field))
      return fail(400, 'BadRequest', `Could not find a property named '${field}'.`);
    const text = query.get('$search');
    const matching = store.all().filter((row) => filter(row) && (text === null || mentions(row, text)));
    const found = query.has('$orderby') ? sortRows(matching, field, direction === 'desc') : matching;
    const [top, skip] = [query.get('$top'), query.get('$skip')].map((given) =>
      given === null ? undefined : (readInteger(given) ?? -1),
    );
    if ((top ?? 0) < 0 || (skip ?? 0) < 0) return fail(400, 'BadRequest', 'Invalid value for $top or $skip.');
    const wanted = found.slice(skip ?? 0, top === undefined ? undefined : (skip ?? 0) + top);
    const start = readInteger(query.get('$skiptoken')) ?? 0;
    const rows = wanted.slice(start, start + maxPageSize);
    const end = start + rows.length;
    const total = query.get('$count') === 'true' ? { '@odata.count': matching.length } : {};
    const next = end < wanted.length ? { '@odata.nextLink': toNextLink(request, end) } : {};
    const context = { '@odata.context': `${originOf(request)}/odata/$metadata#Clients` };
    return json({ ...context, ...total, value: rows.map(toEntity), ...next }, { headers: odataHeaders });
  }

  function toNextLink(request: Received, end: number): string {
    const parameters = new URLSearchParams(request.query);
    parameters.set('$skiptoken', String(end));
    return `${originOf(request)}/odata/Clients?${parameters}`;
  }

  function handleOne(request: Received, key: string): Reply {
    const { method, headers } = request;
    const text = /^'(.*)'$/su.exec(key)?.[1]?.replaceAll("''", "'");
    const id = text ?? key;
    const row =
      typeof store.find(id)?.['id'] === (text === undefined ? 'number' : 'string')
        ? store.find(id)
        : undefined;
    if (row === undefined) return fail(404, 'NotFound', `No client with the key ${key}.`);
    if (method === 'GET') return answerOne(row, request, 200);
    const ifMatch = headers['if-match'];
    if (ifMatch !== undefined && ifMatch !== '*' && ifMatch !== tagOf(row))
      return fail(412, 'PreconditionFailed', 'The entity has changed.');
    if (method === 'DELETE') {
      store.remove(id);
      return empty(204);
    }
    if (method !== 'PATCH' && method !== 'PUT') return notAllowed('GET, PATCH, PUT, DELETE');
    const body = readObject(request);
    const refusal = checkBody(body);
    if (body === undefined || refusal !== undefined) return refusal ?? fail(400, 'BadRequest', 'No object.');
    const kept = method === 'PATCH' ? row : { id: row['id'], ...blank, created_at: row['created_at'] };
    tags.set(id, (tags.get(id) ?? 0) + 1);
    const given = omit(body, ['id', 'created_at', 'updated_at']);
    return answerOne(store.replace(id, { ...kept, ...given, updated_at: now() }), request, 200);
  }

  function answerOne(row: Row, request: Received, status: number): Reply {
    const wantsRecord =
      request.method === 'GET' || /return=representation/.test(String(request.headers['prefer']));
    const key = typeof row['id'] === 'number' ? row['id'] : `'${String(row['id']).replaceAll("'", "''")}'`;
    const location = encodeURI(`${originOf(request)}/odata/Clients(${key})`);
    const context = { '@odata.context': `${originOf(request)}/odata/$metadata#Clients/$entity` };
    const headers = { ...odataHeaders, etag: tagOf(row), ...(status === 201 ? { location } : {}) };
    // A created entity is returned unless the client prefers otherwise.
    if (!wantsRecord && status !== 201) return empty(204, { etag: tagOf(row) });
    return json({ ...context, ...toEntity(row) }, { status, headers });
  }

  function toEntity(row: Row): Row {
    return { '@odata.etag': tagOf(row), ...row };
  }

  function tagOf(row: Row): string {
    return `W/"${tags.get(String(row['id'])) ?? 0}"`;
  }
}

const odataHeaders = { 'content-type': 'application/json;odata.metadata=minimal', 'odata-version': '4.0' };
const blank: Row = Object.fromEntries(
  [...Object.values(contractFields), 'loyalty_number', 'balance'].map((name) => [name, null]),
);

/** Annotations are ignored, other names must be properties of the type. */
function checkBody(body: Row | undefined): Reply | undefined {
  if (body === undefined) return fail(400, 'BadRequest', 'The body is not a JSON object.');
  const known = [...Object.keys(blank), 'id', 'created_at', 'updated_at'];
  const unknown = Object.keys(body).find((name) => !name.includes('@') && !known.includes(name));
  return unknown === undefined
    ? undefined
    : fail(400, 'BadRequest', `The property '${unknown}' does not exist on type 'Client'.`);
}

/** `email eq 'x'`, `id eq 7` and `contains(name,'x')`; undefined for anything else. */
function parseFilter(text: string | null): ((row: Row) => boolean) | undefined {
  if (text === null) return () => true;
  const [, field = '', quoted, number] = /^(\w+) eq (?:'((?:[^']|'')*)'|(\d+))$/.exec(text) ?? [];
  const known = ['id', 'created_at', 'updated_at', ...Object.keys(blank)];
  if (known.includes(field)) {
    const wanted = quoted?.replaceAll("''", "'") ?? number;
    return (row) => row[field] !== null && String(row[field]) === wanted;
  }
  const [, name = '', part = ''] = /^contains\((\w+),\s*'((?:[^']|'')*)'\)$/.exec(text) ?? [];
  return known.includes(name)
    ? (row) => String(row[name] ?? '').includes(part.replaceAll("''", "'"))
    : undefined;
}

function fail(status: number, code: string, message: string): Reply {
  return json({ error: { code, message, target: null, details: [] } }, { status });
}

function failure(status: 200): Reply {
  return json({ error: { code: 'InternalServerError', message: 'The change was rolled back.' } }, { status });
}

import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  contractFields,
  empty,
  mediaTypeOf,
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
 * JSON:API 1.1: https://jsonapi.org/format/, sections "Content negotiation", "Fetching data", "Creating, updating and
 * deleting resources", "Query parameters", "Errors". Its own media type or 415, `page[number]` and `links.next`,
 * records in `attributes`, unknown parameters refused with 400, PATCH with type and ID or 409, IDs as text.
 */
export const jsonApi: ServerKind = {
  name: 'JSON:API',
  dialect: 'jsonapi',
  addresses: { prefix: '' },
  fields: contractFields,
  open: openJsonApi,
};

const mediaType = 'application/vnd.api+json';
const known = /^(page\[(number|size)\]|sort|filter\[(email|phone|q)\]|include|fields\[\w+\])$/;

function openJsonApi(options: OtherServerOptions = {}) {
  const { count = 7, maxPageSize = 100 } = options;
  const store = createClientStore({ count, toId: options.toId ?? String });
  const unauthorized = fail(401, 'Unauthorized');
  return openOtherServer({ store, path: '/api', handle, unauthorized, failure }, options);

  function handle(request: Received): Reply {
    const { method, path } = request;
    const [, api, noun, id, ...more] = path.split('/');
    if (api !== 'api' || noun !== 'clients' || more.length > 0) return fail(404, 'Not Found');
    const isWrite = method === 'POST' || method === 'PATCH';
    if (
      isWrite &&
      (request.headers['content-type'] ?? '') !== mediaType &&
      mediaTypeOf(request) !== mediaType
    )
      return fail(415, 'Unsupported Media Type', `Use ${mediaType}.`);
    if (id !== undefined) return handleOne(request, decodeURIComponent(id));
    if (method === 'GET') return list(request);
    if (method !== 'POST') return notAllowed('GET, POST');
    const data = readData(request);
    if (data === undefined) return fail(400, 'Bad Request', 'The document has no resource object.');
    if (data['type'] !== 'clients') return fail(409, 'Conflict', 'The type is not clients.');
    const at = now();
    const blank = Object.fromEntries(Object.values(contractFields).map((name) => [name, null]));
    const row = store.add({ ...blank, ...(data['attributes'] as Row), created_at: at, updated_at: at });
    return answerOne(row, request, 201);
  }

  function list(request: Received): Reply {
    const { query } = request;
    const unknown = [...query.keys()].find((name) => !known.test(name));
    if (unknown !== undefined) return badParameter(unknown);
    const size = readInteger(query.get('page[size]') ?? String(Math.min(15, maxPageSize)));
    const number = readInteger(query.get('page[number]') ?? '1');
    if (size === undefined || size < 1 || size > maxPageSize) return badParameter('page[size]');
    if (number === undefined || number < 1) return badParameter('page[number]');
    const [email, phone, q] = ['email', 'phone', 'q'].map((name) => query.get(`filter[${name}]`));
    const matching = store
      .all()
      .filter((row) => email === undefined || email === null || row['email'] === email)
      .filter((row) => phone === undefined || phone === null || row['phone'] === phone)
      .filter((row) => q === undefined || q === null || mentions(row, q));
    const sort = query.get('sort') ?? '';
    const field = sort.replace(/^-/, '');
    const isSortable = ['', 'created_at', 'updated_at', 'last_name', 'email'].includes(field);
    if (!isSortable) return badParameter('sort');
    const rows = field === '' ? matching : sortRows(matching, field, sort.startsWith('-'));
    const last = Math.max(1, Math.ceil(rows.length / size));
    const link = (page: number) => {
      const parameters = new URLSearchParams(query);
      parameters.set('page[number]', String(page));
      parameters.set('page[size]', String(size));
      return `${originOf(request)}/api/clients?${parameters}`;
    };
    const links = {
      ...{ self: link(number), first: link(1), last: link(last) },
      prev: number > 1 ? link(number - 1) : null,
      next: number < last ? link(number + 1) : null,
    };
    const data = rows.slice((number - 1) * size, number * size).map((row) => toResource(row, request));
    return reply({ jsonapi: { version: '1.1' }, links, data });
  }

  function handleOne(request: Received, id: string): Reply {
    const { method } = request;
    const row = store.find(id);
    if (row === undefined) return fail(404, 'Not Found', `There is no client ${id}.`);
    if (method === 'GET') return answerOne(row, request, 200);
    if (method === 'DELETE') {
      store.remove(id);
      return empty(204);
    }
    if (method !== 'PATCH') return notAllowed('GET, PATCH, DELETE');
    const data = readData(request);
    if (data === undefined) return fail(400, 'Bad Request', 'The document has no resource object.');
    if (data['type'] !== 'clients' || data['id'] !== id) return fail(409, 'Conflict', 'Type or ID differ.');
    const attributes = omit((data['attributes'] ?? {}) as Row, ['created_at', 'updated_at']);
    return answerOne(store.replace(id, { ...row, ...attributes, updated_at: now() }), request, 200);
  }
}

/** Attributes beside the type and ID, and relationships that no write may lose. */
function toResource(row: Row, request: Received): Row {
  const self = `${originOf(request)}/api/clients/${encodeURIComponent(String(row['id']))}`;
  const stylist = { data: { type: 'stylists', id: '4' } };
  return {
    type: 'clients',
    id: row['id'],
    attributes: omit(row, ['id']),
    relationships: { preferred_stylist: stylist },
    links: { self },
  };
}

function answerOne(row: Row, request: Received, status: number): Reply {
  const data = toResource(row, request);
  const location = `${originOf(request)}/api/clients/${encodeURIComponent(String(row['id']))}`;
  return reply({ jsonapi: { version: '1.1' }, data }, status, status === 201 ? { location } : {});
}

function readData(request: Received): Row | undefined {
  const data = readObject(request)?.['data'];
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Row) : undefined;
}

function reply(document: Row, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return json(document, { status, headers: { 'content-type': mediaType, ...headers } });
}

function badParameter(parameter: string): Reply {
  const detail = `The query parameter ${parameter} is not supported.`;
  const errors = [{ status: '400', title: 'Invalid query parameter', detail, source: { parameter } }];
  return reply({ errors }, 400);
}

function fail(status: number, title: string, detail = `${title}.`): Reply {
  return reply({ errors: [{ status: String(status), title, detail }] }, status);
}

function failure(status: 200): Reply {
  return reply({ errors: [{ status: '500', title: 'Internal Server Error', detail: 'Not saved.' }] }, status);
}

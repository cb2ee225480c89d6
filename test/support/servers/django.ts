import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  contractFields,
  empty,
  mentions,
  notAllowed,
  now,
  type OtherServerOptions,
  openOtherServer,
  originOf,
  readInteger,
  readObject,
  type ServerKind,
  sortRows,
} from './other-server.ts';

/**
 * Django REST framework with `PageNumberPagination`: https://www.django-rest-framework.org/api-guide/pagination/, and
 * "Filtering", "Generic views", "Exceptions". Addresses end with a slash and others are redirected, `count`, `next`,
 * `previous`, `results`, larger pages lowered in silence, 404 behind the end, unknown parameters and orders ignored,
 * PUT refuses a body without the required fields, PATCH merges.
 */
export const djangoPageNumber: ServerKind = {
  name: 'Django (page number)',
  dialect: 'django',
  addresses: { prefix: '', listPath: '/{resource}/', itemPath: '/{resource}/{id}/' },
  fields: contractFields,
  open: (options) => openDjango({ ...options, pagination: 'page-number' }),
};

/** The same with `LimitOffsetPagination`, whose `limit` is lowered to `max_limit` in silence. */
export const djangoLimitOffset: ServerKind = {
  name: 'Django (limit and offset)',
  dialect: 'django',
  addresses: { prefix: '', listPath: '/{resource}/', itemPath: '/{resource}/{id}/' },
  fields: contractFields,
  open: (options) => openDjango({ ...options, pagination: 'limit-offset' }),
};

/** With `CursorPagination` and `page_size_query_param`, as seen: no total, and a `next` that is null at the end. */
export const djangoCursor = {
  name: 'Django (cursor)',
  fields: contractFields,
  open: (options?: OtherServerOptions) => openDjango({ ...options, pagination: 'cursor' }),
} as const;

interface DjangoOptions extends OtherServerOptions {
  readonly pagination: 'page-number' | 'limit-offset' | 'cursor';
}

const writable = [...Object.values(contractFields), 'loyalty_number', 'balance'];
const sortable = ['id', 'created_at', 'updated_at', 'last_name', 'email'];

function openDjango(options: DjangoOptions) {
  const { count = 7, maxPageSize = 100, pagination } = options;
  const store = createClientStore({ count, toId: options.toId });
  const unauthorized = json({ detail: 'Authentication credentials were not provided.' }, { status: 401 });
  return openOtherServer({ store, path: '/api', handle, unauthorized, failure }, options);

  function handle(request: Received): Reply {
    const { method, path } = request;
    const [, api, noun, id, ...more] = path.replace(/\/$/, '').split('/');
    if (api !== 'api' || noun !== 'clients' || more.length > 0) return notFound('Not found.');
    // APPEND_SLASH of Django's CommonMiddleware.
    if (!path.endsWith('/')) {
      const search = request.query.size === 0 ? '' : `?${request.query}`;
      return empty(301, { location: `${path}/${search}` });
    }
    if (id !== undefined) return handleOne(request, decodeURIComponent(id));
    if (method === 'GET') return list(request);
    if (method !== 'POST') return notAllowed('GET, POST, HEAD, OPTIONS');
    const body = readObject(request) ?? {};
    const refusal = validate(body, true);
    if (refusal !== undefined) return refusal;
    const at = now();
    return json(store.add({ ...toWritable(body, blank), created_at: at, updated_at: at }), { status: 201 });
  }

  function list(request: Received): Reply {
    const { query } = request;
    const [search, email, ordering] = ['search', 'email', 'ordering'].map((name) => query.get(name) ?? '');
    const matching = store
      .all()
      .filter((row) => !search || mentions(row, search))
      .filter((row) => !email || row['email'] === email);
    const field = (ordering ?? '').replace(/^-/, '');
    const rows = sortable.includes(field)
      ? sortRows(matching, field, ordering?.startsWith('-') === true)
      : matching;
    const answers = { 'page-number': answerNumbered, 'limit-offset': answerOffset, cursor: answerCursor };
    return answers[pagination](rows, request);
  }

  function answerNumbered(rows: readonly Row[], request: Received): Reply {
    const { query } = request;
    const asked = readInteger(query.get('page_size'));
    const size = asked !== undefined && asked > 0 ? Math.min(asked, maxPageSize) : Math.min(100, maxPageSize);
    const last = Math.max(1, Math.ceil(rows.length / size));
    const page = query.get('page') === 'last' ? last : readInteger(query.get('page') ?? '1');
    if (page === undefined || page < 1 || page > last) return notFound('Invalid page.');
    const link = (to: number) => (to < 1 || to > last ? null : toLink(request, { page: to }));
    const results = rows.slice((page - 1) * size, page * size);
    return json({ count: rows.length, next: link(page + 1), previous: link(page - 1), results });
  }

  function answerOffset(rows: readonly Row[], request: Received): Reply {
    const { query } = request;
    const asked = readInteger(query.get('limit'));
    const limit =
      asked !== undefined && asked > 0 ? Math.min(asked, maxPageSize) : Math.min(100, maxPageSize);
    const offset = Math.max(0, readInteger(query.get('offset')) ?? 0);
    const next = offset + limit < rows.length ? toLink(request, { limit, offset: offset + limit }) : null;
    const previous = offset > 0 ? toLink(request, { limit, offset: Math.max(0, offset - limit) }) : null;
    return json({ count: rows.length, next, previous, results: rows.slice(offset, offset + limit) });
  }

  /** Its cursors are opaque; here they are the number of rows before. */
  function answerCursor(rows: readonly Row[], request: Received): Reply {
    const { query } = request;
    const size = Math.min(readInteger(query.get('page_size')) ?? 100, maxPageSize);
    const from = readInteger(Buffer.from(query.get('cursor') ?? '', 'base64').toString()) ?? 0;
    const link = (to: number) => toLink(request, { cursor: Buffer.from(String(to)).toString('base64') });
    const next = from + size < rows.length ? link(from + size) : null;
    const previous = from > 0 ? link(Math.max(0, from - size)) : null;
    return json({ next, previous, results: rows.slice(from, from + size) });
  }

  function handleOne(request: Received, id: string): Reply {
    const { method } = request;
    const row = store.find(id);
    if (row === undefined) return notFound('No Client matches the given query.');
    if (method === 'GET') return json(row);
    if (method === 'DELETE') {
      store.remove(id);
      return empty(204);
    }
    if (method !== 'PUT' && method !== 'PATCH') return notAllowed('GET, PUT, PATCH, DELETE, HEAD, OPTIONS');
    const body = readObject(request) ?? {};
    const refusal = validate(body, method === 'PUT');
    if (refusal !== undefined) return refusal;
    // A field that PUT leaves out and that is not required keeps its value, as ModelSerializer does.
    return json(store.replace(id, { ...row, ...toWritable(body, {}), updated_at: now() }));
  }
}

const blank: Row = Object.fromEntries(writable.map((name) => [name, null]));

function toWritable(body: Row, defaults: Row): Row {
  const given = Object.entries(body).filter(([name]) => writable.includes(name));
  return { ...defaults, ...Object.fromEntries(given) };
}

function validate(body: Row, isWhole: boolean): Reply | undefined {
  const missing = ['first_name', 'last_name'].filter((name) => isWhole && body[name] === undefined);
  const errors = Object.fromEntries(missing.map((name) => [name, ['This field is required.']]));
  const { email } = body;
  const isWrong = email !== undefined && email !== null && !String(email).includes('@');
  const all = { ...errors, ...(isWrong ? { email: ['Enter a valid email address.'] } : {}) };
  return Object.keys(all).length === 0 ? undefined : json(all, { status: 400 });
}

function toLink(request: Received, parameters: Readonly<Record<string, number | string>>): string {
  const query = new URLSearchParams(request.query);
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  return `${originOf(request)}${request.path}?${query}`;
}

function notFound(detail: string): Reply {
  return json({ detail }, { status: 404 });
}

function failure(status: 200): Reply {
  return json({ detail: 'A server error occurred.', success: false }, { status });
}

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
 * Spring Data REST: https://docs.spring.io/spring-data/rest/reference/, sections "Paging and Sorting" and "Repository
 * resources". Zero-based pages of 20, at most 1,000 and lowered in silence, HAL with `_embedded` and `page`, no ID but
 * the self link, unknown parameters and orders ignored, PUT replaces and creates, PATCH merges.
 */
export const springHal: ServerKind = {
  name: 'Spring Data REST',
  dialect: 'spring',
  addresses: { prefix: '' },
  fields: contractFields,
  open: (options) => openSpring({ ...options, form: 'hal' }),
};

/**
 * A Spring MVC controller that returns `Page`:
 * https://docs.spring.io/spring-data/commons/reference/repositories/core-extensions.html, "Web support". An unknown
 * order is an error 500.
 */
export const springPage: ServerKind = {
  name: 'Spring MVC (Page)',
  dialect: 'spring',
  addresses: { prefix: '' },
  fields: contractFields,
  open: (options) => openSpring({ ...options, form: 'page' }),
};

/** The same with `PagedModel`, which Spring recommends since Spring Data 3.3. */
export const springPagedModel: ServerKind = {
  name: 'Spring MVC (PagedModel)',
  dialect: 'spring',
  addresses: { prefix: '' },
  fields: contractFields,
  open: (options) => openSpring({ ...options, form: 'paged-model' }),
};

interface SpringOptions extends OtherServerOptions {
  readonly form: 'hal' | 'page' | 'paged-model';
}

interface PageFacts {
  readonly rows: readonly Row[];
  readonly number: number;
  readonly size: number;
  readonly totalElements: number;
  readonly totalPages: number;
}

const columns = [...Object.values(contractFields), 'loyalty_number', 'balance'];

function openSpring(options: SpringOptions) {
  const { count = 7, form, maxPageSize = form === 'hal' ? 1_000 : 2_000 } = options;
  const store = createClientStore({ count, toId: options.toId });
  return openOtherServer({ store, path: '/api', handle, unauthorized: empty(401), failure }, options);

  function handle(request: Received): Reply {
    const [, api, noun, id, ...more] = request.path.split('/');
    if (api !== 'api' || noun !== 'clients' || more.length > 0) return notFound(request.path);
    if (form === 'hal' && id === 'search') return notFound(request.path);
    if (id !== undefined) return handleOne(request, decodeURIComponent(id));
    if (request.method === 'GET') return list(request);
    if (request.method !== 'POST') return notAllowed('GET, POST');
    const body = readObject(request);
    if (body === undefined) return springError(400, request.path, 'JSON parse error');
    const at = now();
    const row = store.add({ ...toColumns(body), created_at: at, updated_at: at });
    return answerOne(row, request, 201, { location: selfOf(row, request) });
  }

  function list(request: Received): Reply {
    const { query } = request;
    // Values that are no numbers, and sizes below 1, fall back to the default.
    const number = Math.max(0, readInteger(query.get('page')) ?? 0);
    const asked = readInteger(query.get('size')) ?? 20;
    const size = Math.min(asked < 1 ? 20 : asked, maxPageSize);
    const [field = '', direction = 'asc'] = (query.get('sort') ?? '').split(',');
    const isKnown = store.all().some((row) => Object.hasOwn(row, field));
    if (field !== '' && !isKnown && form !== 'hal') return springError(500, request.path, 'Internal error');
    const found = store.all().filter((row) => isWanted(row, query));
    const sorted = field !== '' && isKnown ? sortRows(found, field, direction === 'desc') : found;
    const totalElements = sorted.length;
    const rows = sorted.slice(number * size, (number + 1) * size);
    return answerPage(
      { rows, number, size, totalElements, totalPages: Math.ceil(totalElements / size) },
      request,
    );
  }

  /** Spring Data REST has no filters on the collection; the controller of these runs has two. */
  function isWanted(row: Row, query: URLSearchParams): boolean {
    const [email, q] = form === 'hal' ? [null, null] : [query.get('email'), query.get('q')];
    return (email === null || row['email'] === email) && (q === null || mentions(row, q));
  }

  function answerPage(facts: PageFacts, request: Received): Reply {
    const { rows, number, size, totalElements, totalPages } = facts;
    const page = { size, number, totalElements, totalPages };
    if (form === 'paged-model') return json({ content: rows, page });
    if (form === 'page') {
      const sort = { empty: true, sorted: false, unsorted: true };
      return json({
        content: rows,
        pageable: {
          pageNumber: number,
          pageSize: size,
          sort,
          offset: number * size,
          paged: true,
          unpaged: false,
        },
        ...{ last: number + 1 >= totalPages, totalElements, totalPages, size, number, sort },
        ...{ first: number === 0, numberOfElements: rows.length, empty: rows.length === 0 },
      });
    }
    const link = (to: number) => {
      const parameters = new URLSearchParams(request.query);
      parameters.set('page', String(to));
      parameters.set('size', String(size));
      return { href: `${originOf(request)}/api/clients?${parameters}` };
    };
    const clients = rows.map((row) => toHal(row, request));
    const next = number + 1 < totalPages ? { next: link(number + 1) } : {};
    const prev = number > 0 ? { prev: link(number - 1) } : {};
    const links = {
      first: link(0),
      ...prev,
      self: link(number),
      ...next,
      last: link(Math.max(0, totalPages - 1)),
    };
    return json(
      { _embedded: { clients }, _links: links, page },
      { headers: { 'content-type': 'application/hal+json' } },
    );
  }

  function handleOne(request: Received, id: string): Reply {
    const { method } = request;
    const row = store.find(id);
    const isPut = method === 'PUT';
    if (row === undefined && !(isPut && form === 'hal'))
      return form === 'hal' ? empty(404) : notFound(request.path);
    if (method === 'GET') return answerOne(row ?? {}, request, 200);
    if (method === 'DELETE') {
      store.remove(id);
      return empty(204);
    }
    if (!isPut && method !== 'PATCH') return notAllowed('GET, PUT, PATCH, DELETE');
    const body = readObject(request);
    if (body === undefined) return springError(400, request.path, 'JSON parse error');
    if (row === undefined) return answerOne(store.add(toColumns(body)), request, 201);
    // A replacement keeps only the ID and the times that the entity sets itself.
    const kept = isPut ? { id: row['id'], created_at: row['created_at'] } : row;
    const given = isPut ? toColumns(body) : omit(toGiven(body), ['id']);
    return answerOne(store.replace(id, { ...kept, ...given, updated_at: now() }), request, 200);
  }

  function answerOne(row: Row, request: Received, status: number, headers = {}): Reply {
    if (form !== 'hal') return json(row, { status, headers });
    // Without an Accept header a write is answered without a body.
    const isSilent = request.method !== 'GET' && request.headers.accept === undefined;
    if (isSilent) return empty(status === 201 ? 201 : 204, headers);
    return json(toHal(row, request), {
      status,
      headers: { 'content-type': 'application/hal+json', ...headers },
    });
  }
}

function toHal(row: Row, request: Received): Row {
  const href = selfOf(row, request);
  return { ...omit(row, ['id']), _links: { self: { href }, client: { href } } };
}

function selfOf(row: Row, request: Received): string {
  return `${originOf(request)}/api/clients/${encodeURIComponent(String(row['id']))}`;
}

/** The columns of the entity; missing ones are null, unknown ones ignored. */
function toColumns(body: Row): Row {
  return Object.fromEntries(columns.map((name) => [name, body[name] ?? null]));
}

function toGiven(body: Row): Row {
  return Object.fromEntries(Object.entries(body).filter(([name]) => columns.includes(name)));
}

function notFound(path: string): Reply {
  return springError(404, path, 'Not Found');
}

function springError(status: number, path: string, error: string): Reply {
  return json({ timestamp: now(), status, error, path }, { status });
}

function failure(status: 200): Reply {
  return json({ timestamp: now(), status: 500, error: 'Internal Server Error' }, { status });
}

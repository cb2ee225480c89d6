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
 * A Laravel controller that returns `Client::paginate(…)`: https://laravel.com/docs/12.x/pagination, section
 * "Converting results to JSON". 15 a page, unknown parameters ignored, absolute links that carry the page alone unless
 * `withQueryString` is called, route model binding with 404, 422 with messages by field, fields outside `$fillable`
 * dropped in silence.
 */
export const laravelPaginate: ServerKind = {
  name: 'Laravel (paginate)',
  dialect: 'laravel',
  addresses: { prefix: '' },
  fields: contractFields,
  open: (options) => openLaravel({ ...options, isResource: false }),
};

/** The same with `ClientResource::collection`: https://laravel.com/docs/12.x/eloquent-resources, "Pagination". */
export const laravelResources: ServerKind = {
  name: 'Laravel (API resources)',
  dialect: 'laravel',
  addresses: { prefix: '' },
  fields: contractFields,
  open: (options) => openLaravel({ ...options, isResource: true }),
};

interface LaravelOptions extends OtherServerOptions {
  readonly isResource: boolean;
}

const fillable = [...Object.values(contractFields), 'loyalty_number', 'balance'];
const sortable = ['created_at', 'updated_at', 'last_name'];

function openLaravel(options: LaravelOptions) {
  const { count = 7, maxPageSize = 100, isResource } = options;
  const store = createClientStore({ count, toId: options.toId });
  const unauthorized = json({ message: 'Unauthenticated.' }, { status: 401 });
  return openOtherServer({ store, path: '/api', handle, unauthorized, failure }, options);

  function handle(request: Received): Reply {
    const { method, path } = request;
    const [, api, noun, id, ...more] = path.split('/');
    if (api !== 'api' || noun !== 'clients' || more.length > 0) {
      return json({ message: `The route ${path.slice(1)} could not be found.` }, { status: 404 });
    }
    if (id !== undefined) return handleOne(request, decodeURIComponent(id));
    if (method === 'GET') return list(request);
    if (method !== 'POST') return notAllowed('GET, HEAD, POST');
    const body = readObject(request) ?? {};
    const refusal = validate(body);
    if (refusal !== undefined) return refusal;
    const at = now();
    const blank = Object.fromEntries(fillable.map((name) => [name, null]));
    const row = store.add({ ...blank, ...toFillable(body), created_at: at, updated_at: at });
    return answerOne(row, 201);
  }

  function list(request: Received): Reply {
    const { query } = request;
    const [q, email, sort] = ['q', 'email', 'sort'].map((name) => query.get(name) ?? '');
    const matching = store
      .all()
      .filter((row) => !q || mentions(row, q))
      .filter((row) => !email || row['email'] === email);
    const field = (sort ?? '').replace(/^-/, '');
    const rows = sortable.includes(field)
      ? sortRows(matching, field, sort?.startsWith('-') === true)
      : matching;
    const perPage = Math.min(Math.max(1, readInteger(query.get('per_page')) ?? 15), maxPageSize);
    // A page below 1, or no number, is the first one.
    const page = Math.max(1, readInteger(query.get('page')) ?? 1);
    return answerPage(rows, { page, perPage, path: `${originOf(request)}/api/clients` });
  }

  function answerPage(rows: readonly Row[], { page, perPage, path }: PageRequest): Reply {
    const last = Math.max(1, Math.ceil(rows.length / perPage));
    const data = rows.slice((page - 1) * perPage, page * perPage);
    const from = data.length === 0 ? null : (page - 1) * perPage + 1;
    const to = data.length === 0 ? null : (page - 1) * perPage + data.length;
    const link = (to: number) => (to < 1 || to > last ? null : `${path}?page=${to}`);
    const facts = {
      current_page: page,
      from,
      path,
      per_page: perPage,
      to,
      total: rows.length,
      last_page: last,
    };
    const buttons = { links: [{ url: link(page - 1), label: '&laquo; Previous', active: false }] };
    if (isResource) {
      const links = { first: link(1), last: link(last), prev: link(page - 1), next: link(page + 1) };
      return json({ data, links, meta: { ...facts, ...buttons } });
    }
    const urls = { first_page_url: link(1), last_page_url: link(last) };
    const neighbours = { next_page_url: link(page + 1), prev_page_url: link(page - 1) };
    return json({ ...facts, data, ...urls, ...buttons, ...neighbours });
  }

  function handleOne(request: Received, id: string): Reply {
    const row = store.find(id);
    if (row === undefined) {
      return json({ message: `No query results for model [App\\Models\\Client] ${id}` }, { status: 404 });
    }
    if (request.method === 'GET') return answerOne(row, 200);
    if (request.method === 'DELETE') {
      store.remove(id);
      return empty(204);
    }
    if (request.method !== 'PUT' && request.method !== 'PATCH') return notAllowed('GET, PUT, PATCH, DELETE');
    const body = readObject(request) ?? {};
    const refusal = validate(body);
    return refusal ?? answerOne(store.replace(id, { ...row, ...toFillable(body), updated_at: now() }), 200);
  }

  function answerOne(row: Row, status: number): Reply {
    return json(isResource ? { data: row } : row, { status });
  }
}

interface PageRequest {
  readonly page: number;
  readonly perPage: number;
  readonly path: string;
}

function toFillable(body: Row): Row {
  return Object.fromEntries(Object.entries(body).filter(([name]) => fillable.includes(name)));
}

/** https://laravel.com/docs/12.x/validation, "Validation error response format". */
function validate({ email }: Row): Reply | undefined {
  if (email === undefined || email === null || /@/.test(String(email))) return undefined;
  const message = 'The email field must be a valid email address.';
  return json({ message, errors: { email: [message] } }, { status: 422 });
}

function failure(status: 200): Reply {
  return json({ success: false, message: 'Server Error' }, { status });
}

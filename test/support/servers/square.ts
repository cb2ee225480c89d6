import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  notAllowed,
  now,
  type OtherServerOptions,
  omit,
  openOtherServer,
  readInteger,
  readObject,
  type ServerKind,
  sortRows,
  withOwnNames,
} from './other-server.ts';
import { createBookings } from './square-bookings.ts';

/**
 * Square's Customers API: https://developer.squareup.com/reference/square/customers-api, and "Pagination" and "Handling
 * errors" of https://developer.squareup.com/docs/build-basics. Cursors in the body, at most 100 a page and an error
 * for more, an empty list without its member, empty fields left out, sparse PUT, a version in every record.
 */
export const square: ServerKind = {
  name: 'Square',
  dialect: 'square',
  addresses: { prefix: '/v2', resources: { clients: 'customers' } },
  fields: {
    first: 'given_name',
    last: 'family_name',
    email: 'email_address',
    phone: 'phone_number',
    notes: 'note',
  },
  toOwn: withOwnNames('square'),
  open: openSquare,
};

function openSquare(options: OtherServerOptions = {}) {
  const { count = 7, maxPageSize = 100 } = options;
  /** By idempotency key. */
  const answers = new Map<string, Row>();
  const store = createClientStore({
    count,
    toId: (number) => `JDKYHBWT1D4F8MFH63DB${String(number).padStart(6, '0')}`,
    toRow: ({ first_name, last_name, email, phone, notes, created_at, updated_at }) =>
      dropEmpty({
        created_at,
        updated_at,
        given_name: first_name,
        family_name: last_name,
        email_address: email,
        phone_number: phone,
        note: notes,
        preferences: { email_unsubscribed: false },
        creation_source: 'THIRD_PARTY',
        version: 0,
      }),
  });
  const bookings = createBookings(count === 0 ? 0 : 60, { answerPage, fail });
  return openOtherServer(
    {
      store,
      others: { appointments: bookings.all },
      handle,
      unauthorized: fail(401, 'AUTHENTICATION_ERROR', 'UNAUTHORIZED'),
      failure,
    },
    options,
  );

  function handle(request: Received): Reply {
    const [, version, noun, id] = request.path.split('/');
    if (version === 'v2' && noun === 'bookings') return bookings.handle(request);
    if (version !== 'v2' || noun !== 'customers') return fail(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND');
    if (id === 'search') return request.method === 'POST' ? search(request) : notAllowed('POST');
    if (id !== undefined) return handleOne(request, decodeURIComponent(id));
    if (request.method === 'GET') return list(request);
    return request.method === 'POST' ? create(request) : notAllowed('GET, POST');
  }

  function list({ query }: Received): Reply {
    const field = query.get('sort_field');
    const names: Readonly<Record<string, string>> = { DEFAULT: 'given_name', CREATED_AT: 'created_at' };
    if (field !== null && !Object.hasOwn(names, field)) return invalid('sort_field', 'INVALID_ENUM_VALUE');
    const rows = sortRows(store.all(), names[field ?? 'DEFAULT'] ?? '', query.get('sort_order') === 'DESC');
    return answerPage(rows, { limit: query.get('limit'), cursor: query.get('cursor') }, 'customers');
  }

  function search(request: Received): Reply {
    const body = readObject(request);
    if (body === undefined) return invalid('', 'EXPECTED_OBJECT');
    const query = (body['query'] ?? {}) as Readonly<Record<string, Row>>;
    const filter = (query['filter'] ?? {}) as Readonly<Record<string, Row>>;
    const rows = store.all().filter((row) =>
      Object.entries(filter).every(([name, { exact, fuzzy }]) => {
        const value = String(row[name] ?? '');
        return exact === undefined
          ? value.toLowerCase().includes(String(fuzzy).toLowerCase())
          : value === exact;
      }),
    );
    return answerPage(rows, { limit: body['limit'], cursor: body['cursor'] }, 'customers');
  }

  function answerPage(
    rows: readonly Row[],
    page: { readonly limit: unknown; readonly cursor: unknown },
    noun: string,
  ): Reply {
    const limit = page.limit === null || page.limit === undefined ? maxPageSize : Number(page.limit);
    if (!(limit >= 1)) return invalid('limit', 'VALUE_TOO_LOW');
    if (limit > maxPageSize) return invalid('limit', 'VALUE_TOO_HIGH');
    const start = page.cursor ? readInteger(Buffer.from(String(page.cursor), 'base64url').toString()) : 0;
    if (start === undefined) return invalid('cursor', 'INVALID_CURSOR');
    const end = start + limit;
    const some = rows.slice(start, end);
    const cursor = end < rows.length ? { cursor: Buffer.from(String(end)).toString('base64url') } : {};
    return json(some.length === 0 ? {} : { [noun]: some, ...cursor });
  }

  function create(request: Received): Reply {
    const body = readObject(request);
    const named = ['given_name', 'family_name', 'company_name', 'email_address', 'phone_number'];
    if (!named.some((name) => Boolean(body?.[name])))
      return fail(400, 'INVALID_REQUEST_ERROR', 'BAD_REQUEST');
    const key = String(body?.['idempotency_key'] ?? '');
    const created = answers.get(key);
    if (created !== undefined) return json({ customer: created });
    const fields = omit(body ?? {}, ['idempotency_key', ...readOnly]);
    const at = now();
    const customer = store.add(dropEmpty({ created_at: at, updated_at: at, ...fields, version: 0 }));
    if (key !== '') answers.set(key, customer);
    return json({ customer });
  }

  function handleOne(request: Received, id: string): Reply {
    const customer = store.find(id);
    if (customer === undefined) return fail(404, 'INVALID_REQUEST_ERROR', 'NOT_FOUND');
    if (request.method === 'GET') return json({ customer });
    if (request.method === 'DELETE') {
      store.remove(id);
      return json({});
    }
    if (request.method !== 'PUT') return notAllowed('GET, PUT, DELETE');
    const body = readObject(request);
    if (body === undefined) return invalid('', 'EXPECTED_OBJECT');
    const { version = customer['version'] } = body;
    if (version !== customer['version']) return fail(409, 'INVALID_REQUEST_ERROR', 'CONFLICT');
    // https://developer.squareup.com/docs/build-basics/common-api-patterns/clear-api-object-fields
    const clears = request.headers['x-clear-null'] === 'true';
    const set = Object.entries(omit(body, readOnly)).filter(([, value]) => value !== null || clears);
    const changed = {
      ...customer,
      ...Object.fromEntries(set),
      version: Number(version) + 1,
      updated_at: now(),
    };
    return json({ customer: store.replace(id, dropEmpty(changed)) });
  }
}

const readOnly = ['id', 'created_at', 'updated_at', 'creation_source', 'version'];

/** Square leaves out fields without a value; an empty text, and null with a header, clear one. */
function dropEmpty(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== ''));
}

function invalid(field: string, code: string): Reply {
  return json(
    { errors: [{ category: 'INVALID_REQUEST_ERROR', code, detail: `\`${field}\` is not valid.`, field }] },
    { status: 400 },
  );
}

function fail(status: number, category: string, code: string): Reply {
  return json({ errors: [{ category, code, detail: `The request failed with ${code}.` }] }, { status });
}

function failure(status: 200): Reply {
  return fail(status, 'API_ERROR', 'INTERNAL_SERVER_ERROR');
}

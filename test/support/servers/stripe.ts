import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  mediaTypeOf,
  notAllowed,
  type OtherServerOptions,
  openOtherServer,
  readInteger,
  type ServerKind,
  withOwnNames,
} from './other-server.ts';

const toOwnNames = withOwnNames('stripe');

/**
 * Stripe's Customers API: https://docs.stripe.com/api/customers, and "Pagination", "Search", "Errors" and "Idempotent
 * requests" of https://docs.stripe.com/api. Newest first, `has_more` and `starting_after`, at most 100 a page and an
 * error for more or for any unknown parameter, form-encoded bodies, POST for updates, keys honoured, a deleted customer
 * still readable as a remnant.
 */
export const stripe: ServerKind = {
  name: 'Stripe',
  dialect: 'stripe',
  addresses: { prefix: '/v1', resources: { clients: 'customers' } },
  fields: { first: 'name', last: 'description', email: 'email', phone: 'phone', notes: 'description' },
  // It writes the time of creation in Unix seconds.
  toOwn(printed) {
    const { created, ...fields } = toOwnNames(printed);
    return { ...fields, created: typeof created === 'string' ? Date.parse(created) / 1_000 : created };
  },
  open: openStripe,
};

const writable = ['name', 'email', 'phone', 'description', 'metadata', 'balance'];

function openStripe(options: OtherServerOptions = {}) {
  const { count = 7, maxPageSize = 100 } = options;
  const deleted = new Set<string>();
  const answers = new Map<string, { body: string; reply: Reply }>();
  const store = createClientStore({
    count,
    toId: (number) => `cus_NffrFeUfNV2H${String(number).padStart(4, '0')}`,
    toRow: ({ first_name, last_name, email, phone, notes }, number) => ({
      object: 'customer',
      balance: 0,
      created: 1_767_225_600 + number,
      description: notes,
      email,
      livemode: false,
      metadata: number % 2 === 0 ? { source: 'walk-in', visits: '3' } : {},
      name: `${first_name} ${last_name}`,
      phone,
    }),
  });
  const unauthorized = fail(401, { message: 'You did not provide an API key.' });
  return openOtherServer({ store, handle, unauthorized, failure }, options);

  function handle(request: Received): Reply {
    const [, version, noun, id] = request.path.split('/');
    if (version !== 'v1' || noun !== 'customers') {
      const message = `Unrecognized request URL (${request.method}: ${request.path}).`;
      return fail(404, { message });
    }
    if (request.method === 'POST') return once(request, () => write(request, id));
    if (id === 'search') return search(request);
    if (id !== undefined) return handleOne(request, decodeURIComponent(id));
    return request.method === 'GET' ? list(request) : notAllowed('GET, POST');
  }

  /** The first answer to an idempotency key is repeated; another body with it is an error. */
  function once(request: Received, act: () => Reply): Reply {
    const key = String(request.headers['idempotency-key'] ?? '');
    const earlier = answers.get(key);
    if (key === '' || earlier === undefined) {
      const reply = act();
      answers.set(key, { body: request.path + request.body, reply });
      return reply;
    }
    if (earlier.body === request.path + request.body) {
      return (response) => {
        response.setHeader('idempotent-replayed', 'true');
        earlier.reply(response);
      };
    }
    return fail(400, {
      type: 'idempotency_error',
      message: 'Keys for idempotent requests can only be used with the same parameters.',
    });
  }

  function list({ query }: Received): Reply {
    const unknown = [...query.keys()].find(
      (name) =>
        !/^(limit|starting_after|ending_before|email|test_clock|created(\[\w+\])?|expand\[\d*\])$/.test(name),
    );
    if (unknown !== undefined) return unknownParameter(unknown);
    const email = query.get('email');
    const rows = newestFirst().filter((row) => email === null || row['email'] === email);
    return answerPage(rows, query, query.get('starting_after'));
  }

  function answerPage(rows: readonly Row[], query: URLSearchParams, after: string | null): Reply {
    const limit = query.has('limit') ? readInteger(query.get('limit')) : Math.min(10, maxPageSize);
    if (limit === undefined || limit < 1) return badValue('limit', 'must be greater than or equal to 1');
    if (limit > maxPageSize) return badValue('limit', `must be less than or equal to ${maxPageSize}`);
    const before = after === null ? -1 : rows.findIndex((row) => row['id'] === after);
    if (after !== null && before < 0) return missing(after);
    const data = rows.slice(before + 1, before + 1 + limit);
    const has_more = before + 1 + limit < rows.length;
    return json({ object: 'list', url: '/v1/customers', has_more, data });
  }

  /** https://docs.stripe.com/search#search-query-language, of which these runs need one clause. */
  function search({ query }: Received): Reply {
    const clause = /^(email|name|phone)([:~])["']([^"']*)["']$/.exec(query.get('query') ?? '');
    if (clause === null) return badValue('query', 'must be a valid search query');
    const [, field = '', operator, wanted = ''] = clause;
    const data = newestFirst().filter((row) => {
      const value = String(row[field] ?? '').toLowerCase();
      return operator === ':' ? value === wanted.toLowerCase() : value.includes(wanted.toLowerCase());
    });
    return json({ object: 'search_result', url: '/v1/customers/search', has_more: false, data });
  }

  function newestFirst(): readonly Row[] {
    return store.all().toReversed();
  }

  function write(request: Received, id: string | undefined): Reply {
    const body = readForm(request);
    if (body === undefined) {
      const message =
        'Invalid request (check that your POST content type is application/x-www-form-urlencoded).';
      return fail(400, { message });
    }
    const unknown = Object.keys(body).find((name) => !writable.includes(name));
    if (unknown !== undefined) return unknownParameter(unknown);
    if (id === undefined) {
      const blank = { balance: 0, description: null, email: null, metadata: {}, name: null, phone: null };
      const fixed = { object: 'customer', created: 1_780_000_000, livemode: false };
      return json(store.add({ ...fixed, ...blank, ...merge({}, body) }));
    }
    const customer = store.find(id);
    return customer === undefined
      ? missing(id)
      : json(store.replace(id, { ...customer, ...merge(customer, body) }));
  }

  function handleOne({ method }: Received, id: string): Reply {
    if (method === 'GET' && deleted.has(id)) return json({ id, object: 'customer', deleted: true });
    const customer = store.find(id);
    if (customer === undefined) return missing(id);
    if (method === 'GET') return json(customer);
    if (method !== 'DELETE') return notAllowed('GET, POST, DELETE');
    store.remove(id);
    deleted.add(id);
    return json({ id, object: 'customer', deleted: true });
  }
}

/** `name=…&metadata[key]=…`; undefined for another content type. */
function readForm(request: Received): Row | undefined {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return undefined;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(request.body)) {
    const [, member, key] = /^(\w+)\[([^\]]+)\]$/.exec(name) ?? [];
    if (member === undefined || key === undefined) fields[name] = value;
    else fields[member] = { ...(fields[member] as Row | undefined), [key]: value };
  }
  return fields;
}

/** An empty text clears a field, or a key of `metadata`; keys not given stay. */
function merge(old: Row, change: Row): Row {
  const { metadata, balance, ...texts } = change;
  const fields = Object.entries(texts).map(([name, value]) => [name, value === '' ? null : value]);
  const keys = { ...(old['metadata'] as Row | undefined), ...(metadata === '' ? {} : (metadata as Row)) };
  const kept = Object.entries(keys).filter(([, value]) => value !== '');
  return {
    ...Object.fromEntries(fields),
    ...(balance === undefined ? {} : { balance: Number(balance) }),
    metadata: metadata === '' ? {} : Object.fromEntries(kept),
  };
}

function fail(status: number, error: Row): Reply {
  return json({ error: { type: 'invalid_request_error', ...error } }, { status });
}

function missing(id: string): Reply {
  return fail(404, { code: 'resource_missing', message: `No such customer: '${id}'`, param: 'id' });
}

function unknownParameter(param: string): Reply {
  return fail(400, { code: 'parameter_unknown', message: `Received unknown parameter: ${param}`, param });
}

function badValue(param: string, rule: string): Reply {
  return fail(400, { code: 'parameter_invalid_integer', message: `This value ${rule}.`, param });
}

function failure(status: 200): Reply {
  return json({ error: { type: 'api_error', message: 'Something went wrong.' } }, { status });
}

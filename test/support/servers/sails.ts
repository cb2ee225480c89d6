import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
  type Reply,
} from '../misbehaving-server.ts';
import { type Row, toPerson } from './client-store.ts';
import { readInteger, readObject, sortRows } from './other-server.ts';

/** What a Sails app in these tests has by model, and how its lists are paged. */
export interface SailsOptions {
  /** Clients at the start. */
  readonly count?: number;
  /** Other models, such as `appointments`. */
  readonly models?: Readonly<Record<string, readonly Row[]>>;
  /** Names of the paging parameters; `skip` and `limit` in a plain Sails app. */
  readonly skip?: string;
  readonly limit?: string;
}

export interface SailsServer extends AsyncDisposable {
  readonly origin: string;
  readonly received: MisbehavingServer['received'];
  /** The records of a model, as they are now. */
  all(model: string): readonly Row[];
}

/** https://sailsjs.com/documentation/reference/blueprint-api/find-where: parameters that are no attributes. */
const reserved = ['where', 'sort', 'select', 'omit', 'populate'];
const defaultLimit = 30;
/** `blueprints.prefix` of the app. */
const prefix = /^\/api\/v1/;

/**
 * A Sails app with blueprint routes and plural names: a bare array of 30 records by default, `skip` and `limit`, and
 * every other query parameter a comparison with the attribute of that name, so that no record matches an unknown one.
 * Update with PATCH, and PUT as its deprecated form.
 */
export async function openSails(options: SailsOptions = {}): Promise<SailsServer> {
  const { count = 237, models = {}, skip = 'skip', limit = 'limit' } = options;
  const clients = Array.from(
    { length: count },
    (_, index): Row => ({ id: index + 1, ...toPerson(index + 1) }),
  );
  const tables = new Map<string, Map<string, Row>>(
    Object.entries({ clients, ...models }).map(([model, rows]) => [
      model,
      new Map(rows.map((row) => [String(row['id']), row])),
    ]),
  );
  const server = await openMisbehavingServer(handle);
  return {
    origin: server.origin,
    received: server.received,
    all: (model) => [...(tables.get(model)?.values() ?? [])],
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };

  function handle(request: Received): Reply {
    const { method, path } = request;
    const [, model = '', id, ...more] = path.replace(prefix, '').split('/');
    const table = tables.get(model);
    if (table === undefined || more.length > 0) return json('Not Found', { status: 404 });
    if (id === undefined) {
      if (method === 'GET') return find([...table.values()], request.query);
      return create(table, readObject(request) ?? {});
    }
    const row = table.get(decodeURIComponent(id));
    if (row === undefined) return json('Not Found', { status: 404 });
    if (method === 'DELETE') table.delete(String(row['id']));
    if (method !== 'PATCH' && method !== 'PUT') return json(row);
    const changed = { ...row, ...readObject(request), id: row['id'] };
    table.set(String(row['id']), changed);
    return json(changed);
  }

  function find(rows: readonly Row[], query: URLSearchParams): Reply {
    const criteria = [...query].filter(([name]) => ![...reserved, skip, limit].includes(name));
    const matching = rows.filter((row) => criteria.every(([name, value]) => String(row[name]) === value));
    const [field = '', direction] = (query.get('sort') ?? '').split(' ');
    const sorted = field === '' ? matching : sortRows(matching, field, direction === 'DESC');
    const first = readInteger(query.get(skip)) ?? 0;
    return json(sorted.slice(first, first + (readInteger(query.get(limit)) ?? defaultLimit)));
  }
}

function create(table: Map<string, Row>, fields: Row): Reply {
  const row = { id: table.size + 1, ...fields };
  table.set(String(row.id), row);
  return json(row);
}

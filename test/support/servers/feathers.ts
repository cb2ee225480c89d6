import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  contractFields,
  type OtherServer,
  type OtherServerOptions,
  openOtherServer,
  readInteger,
  readObject,
  sortRows,
} from './other-server.ts';

/** Operators of a query: https://feathersjs.com/api/databases/querying */
const operators: Readonly<Record<string, (value: unknown, wanted: string) => boolean>> = {
  $gte: (value, wanted) => typeof value === 'string' && value >= wanted,
  $lt: (value, wanted) => typeof value === 'string' && value < wanted,
  $ne: (value, wanted) => value !== wanted,
};

/**
 * Feathers 5 over records in memory, as seen: `$limit` and `$skip`, 10 on a page and 50 at most, PATCH merges, PUT
 * replaces. Every other parameter compares with the attribute of that name, exactly, so that no record matches an
 * unknown one, and none a number.
 */
export const feathers = {
  name: 'Feathers',
  fields: contractFields,
  open: openFeathers,
} as const;

function openFeathers({ count = 7 }: OtherServerOptions = {}): Promise<OtherServer> {
  const store = createClientStore({ count });
  const unauthorized = json({ name: 'NotAuthenticated', code: 401 }, { status: 401 });
  const failure = (status: 200) => json({ name: 'GeneralError', success: false }, { status });
  return openOtherServer({ store, handle, unauthorized, failure }, {});

  function handle(request: Received): Reply {
    const { method, path } = request;
    const [, noun, id] = path.split('/').map(decodeURIComponent);
    if (noun !== 'clients') return missing(`Path ${path} not found`);
    if (id === undefined)
      return method === 'POST' ? json(store.add(readObject(request) ?? {}), { status: 201 }) : find(request);
    const row = store.find(id);
    if (row === undefined) return missing(`No record found for id '${id}'`);
    if (method === 'DELETE') store.remove(id);
    const kept = { PATCH: row, PUT: {} }[method];
    return json(
      kept === undefined ? row : store.replace(id, { ...kept, ...readObject(request), id: row['id'] }),
    );
  }

  function find({ query }: Received): Reply {
    const limit = Math.min(readInteger(query.get('$limit')) ?? 10, 50);
    const skip = readInteger(query.get('$skip')) ?? 0;
    let found = store.all();
    for (const [name, wanted] of query) {
      const [, field = '', operator] = /^([^[]+)(?:\[(.+)\])?$/.exec(name) ?? [];
      if (field === '$sort') found = sortRows(found, operator ?? '', wanted === '-1');
      else if (!field.startsWith('$')) found = found.filter((row) => matches(row[field], operator, wanted));
    }
    return json({ total: found.length, limit, skip, data: found.slice(skip, skip + limit) });
  }
}

function matches(value: unknown, operator: string | undefined, wanted: string): boolean {
  return operator === undefined ? value === wanted : (operators[operator]?.(value, wanted) ?? false);
}

function missing(message: string): Reply {
  const error = { name: 'NotFound', message, code: 404, className: 'not-found' } satisfies Row;
  return json(error, { status: 404 });
}

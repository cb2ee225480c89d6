import { json, type Received, type Reply } from '../misbehaving-server.ts';
import { createClientStore, type Row } from './client-store.ts';
import {
  contractFields,
  empty,
  type OtherServer,
  type OtherServerOptions,
  openOtherServer,
  readInteger,
  readObject,
  sortRows,
} from './other-server.ts';

/**
 * LoopBack 4 (@loopback/rest 15.0.16), as seen: bare arrays without a total, `filter[limit]`, `filter[skip]`,
 * `filter[order]` and `filter[where]`, other parameters ignored, IDs of another form refused, 204 after a change.
 */
export const loopback = {
  name: 'LoopBack',
  fields: contractFields,
  open: openLoopback,
} as const;

function openLoopback({ count = 7 }: OtherServerOptions = {}): Promise<OtherServer> {
  const store = createClientStore({ count });
  const unauthorized = refuse(401, 'Authorization Required');
  const failure = (status: 200) => json({ error: { message: 'It failed.' } }, { status });
  return openOtherServer({ store, handle, unauthorized, failure }, {});

  function handle(request: Received): Reply {
    const { method, path } = request;
    const [, noun, id] = path.split('/').map(decodeURIComponent);
    if (noun !== 'clients') return refuse(404, `Endpoint "${method} ${path}" not found.`);
    if (id === undefined)
      return method === 'POST' ? json(store.add(readObject(request) ?? {})) : find(request);
    if (!/^\d+$/.test(id)) return refuse(400, `Invalid data "${id}" for parameter "id".`);
    const row = store.find(id);
    if (row === undefined) return refuse(404, `Entity not found: client with id ${id}`);
    if (method === 'GET') return json(row);
    if (method === 'DELETE') store.remove(id);
    else store.replace(id, { ...(method === 'PATCH' ? row : {}), ...readObject(request), id: row['id'] });
    return empty(204);
  }

  function find({ query }: Received): Reply {
    let found = store.all();
    for (const [name, wanted] of query) {
      const [, field = '', operator] = /^filter\[where\]\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
      if (field !== '') found = found.filter((row) => matches(row, field, operator, wanted));
    }
    const [field = '', direction] = (query.get('filter[order]') ?? '').split(' ');
    if (field !== '') found = sortRows(found, field, direction === 'DESC');
    const skip = readInteger(query.get('filter[skip]')) ?? 0;
    return json(found.slice(skip, skip + (readInteger(query.get('filter[limit]')) ?? found.length)));
  }
}

function matches(row: Row, field: string, operator: string | undefined, wanted: string): boolean {
  const value = row[field];
  if (operator === 'gte') return Date.parse(String(value)) >= Date.parse(wanted);
  if (operator === 'lt') return Date.parse(String(value)) < Date.parse(wanted);
  return String(value) === wanted;
}

function refuse(statusCode: number, message: string): Reply {
  return json({ error: { statusCode, name: 'Error', message } }, { status: statusCode });
}

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
 * json-server 1.0.0-beta.15, as seen: text as IDs, a bare array of all rows without `_page`, its last page again beyond
 * the end, and every parameter without `_` a comparison, so that no record matches an unknown one.
 */
export const jsonServer = {
  name: 'json-server',
  fields: contractFields,
  open: openJsonServer,
} as const;

function openJsonServer({ count = 7 }: OtherServerOptions = {}): Promise<OtherServer> {
  const store = createClientStore({ count, toId: String });
  const unauthorized = empty(401);
  const failure = (status: 200) => json({ success: false }, { status });
  return openOtherServer({ store, handle, unauthorized, failure }, {});

  function handle(request: Received): Reply {
    const { method, path } = request;
    const [, noun, id] = path.split('/').map(decodeURIComponent);
    if (noun !== 'clients') return empty(404);
    if (id === undefined)
      return method === 'POST' ? json(store.add(readObject(request) ?? {}), { status: 201 }) : find(request);
    const row = store.find(id);
    if (row === undefined) return empty(404);
    if (method === 'DELETE') store.remove(id);
    const kept = { PATCH: row, PUT: {} }[method];
    return json(kept === undefined ? row : store.replace(id, { ...kept, ...readObject(request), id }));
  }

  function find({ query }: Received): Reply {
    const criteria = [...query].filter(([name]) => !name.startsWith('_'));
    const sort = query.get('_sort') ?? '';
    const matching = store
      .all()
      .filter((row) => criteria.every(([name, value]) => name in row && isSame(row, name, value)));
    const found = sort === '' ? matching : sortRows(matching, sort.replace(/^-/, ''), sort.startsWith('-'));
    const asked = readInteger(query.get('_page'));
    if (asked === undefined) return json(found);
    const size = readInteger(query.get('_per_page')) ?? 10;
    const last = Math.max(1, Math.ceil(found.length / size));
    const page = Math.min(Math.max(asked, 1), last);
    return json({
      first: 1,
      prev: page > 1 ? page - 1 : null,
      next: page < last ? page + 1 : null,
      last,
      pages: last,
      items: found.length,
      data: found.slice((page - 1) * size, page * size),
    });
  }
}

/** A number in a query is one, also where the record has text. */
function isSame(row: Row, name: string, value: string): boolean {
  return row[name] === (value.trim() === '' || Number.isNaN(Number(value)) ? value : Number(value));
}

import type { Fields } from '../../../src/client/json-object.ts';
import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  type Received,
} from '../../support/misbehaving-server.ts';

export interface ForeignSalon {
  readonly records: readonly Fields[];
  /** Response to `GET /clients/:id` for a missing record: the contract's 404, another 404, or always 404. */
  readonly single?: 'contract' | 'foreign' | 'none';
  /** What it makes of a filter. */
  readonly filter?: 'honours' | 'ignores' | 'refuses';
  /** What a page of the list holds; all that belongs there unless something is amiss. */
  readonly show?: (records: readonly Fields[], page: number) => readonly Fields[];
  /** Whether it counts its records. */
  readonly counts?: boolean;
}

/** A server that has clients, pages and totals, and no versions. */
export function openForeignSalon(salon: ForeignSalon): Promise<MisbehavingServer> {
  const { records, single = 'contract', filter = 'ignores', counts = true } = salon;
  const { show = (rows) => rows } = salon;
  return openMisbehavingServer((request) => {
    const id = /^\/(?:api\/)?v1\/clients\/(.+)$/.exec(request.path)?.[1];
    if (id !== undefined) return answerOne(id);
    const email = request.query.get('email');
    if (email !== null && filter === 'refuses') return json({ error: 'email?' }, { status: 400 });
    const wanted =
      email === null || filter === 'ignores' ? records : records.filter((one) => one['email'] === email);
    return answerPage(wanted, request);
  });

  function answerOne(id: string) {
    const record = single === 'none' ? undefined : records.find((one) => one['id'] === id);
    if (record !== undefined) return json(record);
    return json(single === 'contract' ? { code: 'not_found' } : { error: 'nothing here' }, { status: 404 });
  }

  function answerPage(wanted: readonly Fields[], { query }: Received) {
    const page = Number(query.get('page') ?? 1);
    const perPage = Number(query.get('per_page') ?? 50);
    const rows = show(wanted.slice((page - 1) * perPage, page * perPage), page);
    return json(counts ? { data: rows, page, total: wanted.length } : { data: rows });
  }
}

/** The requests to a server, each with its count. */
export function toQuestions({ received }: MisbehavingServer): string[] {
  return received.map(({ path, query }) => {
    const named = [...query]
      .filter(([name]) => name !== 'per_page')
      .map(([name, value]) => `${name}=${value}`);
    return [path.replace('/api/v1/', ''), ...named].join(' ');
  });
}

import type { Dialect } from '../../../src/client/dialect/dialect.ts';
import type { ClientConditions } from '../../../src/client/selection/client-conditions.ts';
import { type SelectionOptions, selectClients } from '../../../src/client/selection/select-clients.ts';
import { collect } from '../../support/collect.ts';
import { json, openMisbehavingServer } from '../../support/misbehaving-server.ts';
import { openClient } from '../../support/open-client.ts';

interface Records {
  readonly clients: readonly object[];
  readonly appointments?: readonly object[];
  /** Whether the server sends totals. */
  readonly hasTotals?: boolean;
  /** The server's names for fields. */
  readonly fields?: Dialect['fields'];
}

/** Selects from a server that reads no filters. */
export async function select(records: Records, conditions: ClientConditions, options: SelectionOptions = {}) {
  const { clients, appointments = [], hasTotals = true, fields } = records;
  await using server = await openMisbehavingServer(({ path, query }) => {
    const all = path.endsWith('/appointments') ? appointments : clients;
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 50)];
    const data = all.slice((page - 1) * size, page * size);
    return json(hasTotals ? { data, pagination: { page, per_page: size, total: all.length } } : data);
  });
  await using client = openClient(server.origin, {
    dialect: { ...(hasTotals ? {} : { paging: 'page' }), ...(fields && { fields }) },
  });
  const selection = selectClients(client, conditions, options);
  const pages = await collect(selection);
  const ids = pages.flatMap(({ rows }) => rows.map(({ id }) => id));
  const unverified = selection.consistency()?.unverified;
  return { ids, facts: selection.facts(), unverified, requests: server.received.length };
}

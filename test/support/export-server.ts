import { json, type MisbehavingServer, openMisbehavingServer, type Reply } from './misbehaving-server.ts';

/** A list of clients that a test can change or make unreadable. */
export interface ExportServer extends MisbehavingServer {
  rows: object[];
  /** Responds to a request instead of the page; undefined sends the page. */
  instead: (page: number) => Reply | undefined;
}

export interface ExportServerOptions {
  readonly rows?: number;
  readonly perPage?: number;
  /** Whether pages have a version, as in salon's own service. */
  readonly version?: number;
  /** The account that /me names; without it there is no /me. */
  readonly account?: string;
}

/** Rows whose fields need quoting in most formats. */
export function makeRows(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `cli_${String(index).padStart(6, '0')}`,
    first_name: `Ana "${index}"`,
    last_name: index % 3 === 0 ? 'Müller, geb. Ito' : null,
    notes: index % 5 === 0 ? 'two\nlines\tand a tab' : '',
    updated_at: '2026-11-21T10:00:00Z',
  }));
}

/** Serves a list of clients with page, per_page and total. */
export async function openExportServer(options: ExportServerOptions = {}): Promise<ExportServer> {
  const { rows: count = 450, perPage: most = 20, version, account } = options;
  const server = await openMisbehavingServer(({ query, path }) => {
    const me = { data: { account: { id: account, name: 'Luna', plan: 'pro' }, role: 'owner' } };
    if (account !== undefined && path.endsWith('/me')) return json(me);
    if (!/\/(clients|appointments)$/.test(path)) return json({}, { status: 404 });
    const page = Number(query.get('page') ?? 1);
    const perPage = Math.min(most, Number(query.get('per_page') ?? most));
    const data = exportServer.rows.slice((page - 1) * perPage, page * perPage);
    const pagination = { page, per_page: perPage, total: exportServer.rows.length };
    const headers = version === undefined ? {} : { 'salon-collection-version': String(version) };
    return exportServer.instead(page) ?? json({ data, pagination }, { headers });
  });
  const exportServer: ExportServer = Object.assign(server, {
    rows: makeRows(count),
    instead: () => undefined,
  });
  return exportServer;
}

import {
  json,
  type MisbehavingServer,
  openMisbehavingServer,
  problem,
  type Reply,
} from './misbehaving-server.ts';

/** A salon whose lists a test replaces; records are sent as they are. */
export interface CopiedSalon {
  readonly lists: Record<string, readonly object[]>;
  account: string;
  timeZone: string;
  /** Instead of the lists of this name. */
  replies: Record<string, Reply>;
}

/** A server with all the lists that a copy has, page by page. */
export async function openCopyServer(): Promise<MisbehavingServer & { readonly salon: CopiedSalon }> {
  const salon: CopiedSalon = { lists: {}, account: 'acc_1', timeZone: 'Europe/Berlin', replies: {} };
  const server = await openMisbehavingServer(({ path, query }) => {
    const name = path.split('/').at(-1) ?? '';
    const instead = salon.replies[name];
    if (instead !== undefined) return instead;
    if (name === 'me') {
      const account = { id: salon.account, name: `Salon ${salon.account}`, plan: 'pro', hourly_limit: 5000 };
      return json({
        account,
        role: 'owner',
        scopes: [],
        stylist_id: null,
        key: { id: 'key_1', name: 'k' },
        user: null,
        app: null,
      });
    }
    if (name === 'salon') return json({ name: 'Salon', time_zone: salon.timeZone, currency: 'EUR' });
    if (name === 'changes') return problem(404, 'nothing_here');
    if (path.split('/').length > 4) return problem(404, 'not_found');
    const rows = salon.lists[name] ?? [];
    const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 50)];
    const data = rows.slice((page - 1) * perPage, page * perPage);
    return json({ data, pagination: { page, per_page: perPage, total: rows.length } });
  });
  return { ...server, salon };
}

export const mia = {
  id: 'sty_1',
  first_name: 'Mia',
  last_name: null,
  display_name: 'Mia',
  active: true,
  services: [],
};

export const toClient = (number: number, change: object = {}) => ({
  ...{ id: `cli_${number}`, first_name: `Ana ${number}`, last_name: 'Costa', email: null },
  ...{ phone: `+49301234${number}`, notes: null, tags: ['vip'] },
  ...change,
});

export const toVisit = (number: number, start_time: string, change: object = {}) => ({
  ...{
    id: `apt_${number}`,
    client_id: 'cli_1',
    stylist_id: 'sty_1',
    service: 'Cut',
    start_time,
    duration: 60,
  },
  ...{ status: 'completed', notes: null, price: 4500, paid_amount: 4500, created_at: start_time },
  ...change,
});

export const toPayment = (number: number, created_at: string, change: object = {}) => ({
  ...{
    id: `pay_${number}`,
    client_id: 'cli_1',
    appointment_id: `apt_${number}`,
    amount: 4500,
    currency: 'EUR',
  },
  ...{ tip_amount: 0, method: 'card', status: 'completed', refunded_amount: 0, created_at },
  ...change,
});

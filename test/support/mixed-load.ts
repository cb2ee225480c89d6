/** What the sender of requests knows about one client record. */
export interface KnownClient {
  /** Last names that were acknowledged, in order. */
  readonly acknowledged: string[];
  /** Last names whose request had no response. */
  readonly uncertain: string[];
  deletion: 'none' | 'uncertain' | 'acknowledged';
}

/** What a mixed load has written so far. */
export interface MixedLoad {
  readonly clients: ReadonlyMap<string, KnownClient>;
  /** Acknowledged bookings, and how many others had no response. */
  readonly booked: ReadonlySet<string>;
  readonly acknowledged: () => number;
  /** Resolves when that many requests were acknowledged. */
  until(count: number): Promise<void>;
  /** Responses that neither a kill nor another writer explains. */
  readonly unexpected: readonly string[];
  /** Settles when all writers have stopped. */
  readonly finished: Promise<unknown>;
}

export interface MixedLoadOptions {
  /** The origin of the service to send the next request to. */
  readonly next: () => string | Promise<string>;
  readonly token: string;
  readonly stylistId: string;
  readonly writers: number;
  readonly isOver: () => boolean;
}

/** What a request did: `refused` changed nothing, `unknown` had no response. */
type Outcome = { readonly id: string } | 'refused' | 'unknown';

/** Starts writers: each adds, changes and deletes clients of its own, and all book the same stylist. */
export function startMixedLoad({ next, token, stylistId, writers, isOver }: MixedLoadOptions): MixedLoad {
  const clients = new Map<string, KnownClient>();
  const booked = new Set<string>();
  const unexpected: string[] = [];
  let acknowledged = 0;
  let wanted = { count: Number.POSITIVE_INFINITY, reached: () => {} };

  async function send(method: string, path: string, body?: object): Promise<Outcome> {
    try {
      const response = await fetch(`${await next()}/api/v1/${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) {
        acknowledged += 1;
        if (acknowledged >= wanted.count) wanted.reached();
        return { id: text === '' ? '' : String(JSON.parse(text).id) };
      }
      if (response.status !== 409 && response.status !== 503) unexpected.push(`${response.status} ${text}`);
      return 'refused';
    } catch {
      return 'unknown';
    }
  }

  async function write(writer: number, turn: number): Promise<void> {
    const name = `${writer}-${turn}`;
    const made = await send('POST', 'clients', { first_name: 'Ana', last_name: name });
    if (typeof made === 'string') return;
    const known: KnownClient = { acknowledged: [name], uncertain: [], deletion: 'none' };
    clients.set(made.id, known);
    const changed = `${name}-changed`;
    const change = await send('PATCH', `clients/${made.id}`, { last_name: changed });
    if (change !== 'refused') (change === 'unknown' ? known.uncertain : known.acknowledged).push(changed);
    const start_time = new Date(Date.UTC(2031, 0, 1 + turn, 9, (writer % 4) * 15)).toISOString();
    const booking = { client_id: made.id, stylist_id: stylistId, service: 'Cut', start_time, duration: 30 };
    const appointment = await send('POST', 'appointments', booking);
    if (typeof appointment !== 'string') booked.add(appointment.id);
    await send('GET', `clients?q=${changed}`);
    if (appointment !== 'refused' || turn % 2 === 0) return;
    const deletion = await send('DELETE', `clients/${made.id}`);
    if (deletion !== 'refused') known.deletion = deletion === 'unknown' ? 'uncertain' : 'acknowledged';
  }

  const finished = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let turn = 0; !isOver(); turn++) await write(writer, turn);
    }),
  );
  return {
    ...{ clients, booked, unexpected, finished, acknowledged: () => acknowledged },
    until: (count) =>
      new Promise((resolve) => {
        wanted = { count, reached: resolve };
        if (acknowledged >= count) resolve();
      }),
  };
}

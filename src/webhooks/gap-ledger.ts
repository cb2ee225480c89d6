/** What a receiver has seen of its endpoint's events, held against what the service's log says it was sent. */
export interface GapLedger {
  /** From this moment on the log has to be read; whatever was sent before it is settled. Unix milliseconds. */
  readonly unsettledFromMs: number;
  /** Notes that an event came, and answers whether it is new. `atMs` is when the event was made. */
  markReceived(id: string, atMs: number): boolean;
  /** Takes back that it came: it will have to come again. */
  forget(id: string): void;
  /** Notes that an event was dealt with: from here on it is not wanted again, also by the next process. */
  markProcessed(id: string, nowMs: number): void;
  /** What was sent by then and never came, in the order of the log. Nothing is noted yet. */
  findMissed<Logged extends LedgerEntry>(log: readonly Logged[], untilMs: number): readonly Logged[];
  /** The log was read up to here, and what had been missed has arrived. It stays open for what may show late in it. */
  moveOn(untilMs: number, nowMs: number): void;
  /** What the next process needs to know. */
  save(): SavedGapLedger;
}

/** One line of the service's log, as far as it matters here. */
export interface LedgerEntry {
  readonly event_id: string;
  readonly created_at: string;
}

export interface SavedGapLedger {
  readonly unsettled_from_ms: number;
  /** Events that were dealt with, by their identifiers, with the moment in Unix milliseconds; oldest first. */
  readonly settled: Readonly<Record<string, number>>;
}

/** Events that are remembered, for dropping what comes twice: more than any service sends while its log is open. */
const mostRemembered = 50_000;

/** Of those, how many the next process is told of whenever they were dealt with. */
const mostKeptAnyway = 1_000;

/** How long a service may take to show in its log what it has begun to send. */
const logDelayMs = 120_000;

/** A ledger that begins at a moment, or goes on where another one was saved. */
export function createGapLedger(saved: SavedGapLedger): GapLedger {
  let unsettledFromMs = saved.unsettled_from_ms;
  const settled = new Map(Object.entries(saved.settled));
  const underway = new Map<string, number>();
  return {
    get unsettledFromMs() {
      return unsettledFromMs;
    },
    markReceived(id, atMs) {
      if (settled.has(id) || underway.has(id)) return false;
      underway.set(id, atMs);
      return true;
    },
    forget: (id) => void underway.delete(id),
    markProcessed(id, nowMs) {
      underway.delete(id);
      settled.set(id, nowMs);
      if (settled.size <= mostRemembered) return;
      const [oldest] = settled.keys();
      if (oldest !== undefined) settled.delete(oldest);
    },
    findMissed: (log, untilMs) =>
      log.filter(
        ({ event_id, created_at }) =>
          Date.parse(created_at) <= untilMs && !settled.has(event_id) && !underway.has(event_id),
      ),
    moveOn(untilMs, nowMs) {
      // What came and is still being dealt with would be lost with this process, so the log stays open for it.
      const bounds = [untilMs, nowMs - logDelayMs, ...underway.values()];
      const leastMs = bounds.reduce((least, bound) => Math.min(least, bound));
      unsettledFromMs = Math.max(unsettledFromMs, leastMs);
    },
    save: () => ({
      unsettled_from_ms: unsettledFromMs,
      settled: Object.fromEntries(
        // An event is dealt with after it was sent, so the moment settles what was done before it. The last ones
        // are kept all the same: a service may be trying to send them still, and they came out of its log.
        [...settled].filter(
          ([, nowMs], place) => nowMs >= unsettledFromMs || place >= settled.size - mostKeptAnyway,
        ),
      ),
    }),
  };
}

/** What a ledger starts from where nothing was saved. */
export function emptyGapLedger(nowMs: number): SavedGapLedger {
  return { unsettled_from_ms: nowMs, settled: {} };
}

/** A saved ledger as it was read; undefined for anything else. */
export function parseGapLedger(value: unknown): SavedGapLedger | undefined {
  if (!isObject(value)) return undefined;
  const { unsettled_from_ms, settled } = value;
  if (typeof unsettled_from_ms !== 'number' || !Number.isFinite(unsettled_from_ms)) return undefined;
  if (!isObject(settled)) return undefined;
  const entries = Object.entries(settled).filter((entry): entry is [string, number] =>
    Number.isFinite(entry[1]),
  );
  return { unsettled_from_ms, settled: Object.fromEntries(entries) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

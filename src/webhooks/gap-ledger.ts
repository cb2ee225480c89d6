/** Which events of an endpoint were received, compared with the service's delivery log. */
export interface GapLedger {
  /** The log must be read from here on; everything before is processed. Unix milliseconds. */
  readonly unsettledFromMs: number;
  /** Records a received event and returns whether it is new. `atMs` is when the event was created. */
  markReceived(id: string, atMs: number): boolean;
  /** Forgets a received event, so that it is accepted again. */
  forget(id: string): void;
  /** Records that an event was processed, for this process and the next. */
  markProcessed(id: string, nowMs: number): void;
  /** Deliveries sent until then and never received, in log order. */
  findMissed<Logged extends LedgerEntry>(log: readonly Logged[], untilMs: number): readonly Logged[];
  /** The log was read up to here and missed events were received. Late entries are still looked for. */
  moveOn(untilMs: number, nowMs: number): void;
  /** The state for the next process. */
  save(): SavedGapLedger;
}

/** One entry of the service's delivery log. */
interface LedgerEntry {
  readonly event_id: string;
  readonly created_at: string;
}

export interface SavedGapLedger {
  readonly unsettled_from_ms: number;
  /** Processed event IDs with their time in Unix milliseconds, oldest first. */
  readonly settled: Readonly<Record<string, number>>;
}

/** Remembered events, for dropping duplicates: more than a service sends while its log is read. */
const mostRemembered = 50_000;

/** How many of them are always saved for the next process. */
const mostKeptAnyway = 1_000;

/** How late a delivery may appear in the service's log. */
const logDelayMs = 120_000;

/** Creates a ledger from a start time or a saved state. */
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
      // Events in progress would be lost with this process, so the log is read again for them.
      const bounds = [untilMs, nowMs - logDelayMs, ...underway.values()];
      const leastMs = bounds.reduce((least, bound) => Math.min(least, bound));
      unsettledFromMs = Math.max(unsettledFromMs, leastMs);
    },
    save: () => ({
      unsettled_from_ms: unsettledFromMs,
      settled: Object.fromEntries(
        // An event is processed after it was sent, so everything before this time is done. The latest ones
        // are kept anyway: the service may still retry events that were fetched from its log.
        [...settled].filter(
          ([, nowMs], place) => nowMs >= unsettledFromMs || place >= settled.size - mostKeptAnyway,
        ),
      ),
    }),
  };
}

/** The initial state. */
export function emptyGapLedger(nowMs: number): SavedGapLedger {
  return { unsettled_from_ms: nowMs, settled: {} };
}

/** Parses a saved ledger; undefined for anything else. */
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

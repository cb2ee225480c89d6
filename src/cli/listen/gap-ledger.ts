import { isFields } from '../../client/json-object.ts';
import type { Delivery } from '../../contract/delivery.ts';

type LogEntry = Pick<Delivery, 'event_id' | 'created_at'>;

export interface SavedGapLedger {
  readonly unsettled_from_ms: number;
  /** Processed event IDs with their time in Unix milliseconds, oldest first. */
  readonly settled: Readonly<Record<string, number>>;
}

/** Remembered events, for dropping duplicates: more than a service sends while its log is read. */
const maxRemembered = 50_000;

/** How many of them are always saved for the next process. */
const minSaved = 1_000;

/** How late a delivery may appear in the service's log. */
const logDelayMs = 120_000;

/** Which events of an endpoint were received, compared with the service's delivery log. */
export class GapLedger {
  #unsettledFromMs: number;
  readonly #settled: Map<string, number>;
  readonly #underway = new Map<string, number>();

  /** From a start time or a saved state. */
  constructor({ unsettled_from_ms, settled }: SavedGapLedger) {
    this.#unsettledFromMs = unsettled_from_ms;
    this.#settled = new Map(Object.entries(settled));
  }

  /** The log must be read from here on; everything before is processed. Unix milliseconds. */
  get unsettledFromMs(): number {
    return this.#unsettledFromMs;
  }

  /** Records a received event and returns whether it is new. `atMs` is when the event was created. */
  markReceived(id: string, atMs: number): boolean {
    if (this.#isKnown(id)) return false;
    this.#underway.set(id, atMs);
    return true;
  }

  /** Forgets a received event, so that it is accepted again. */
  forget(id: string): void {
    this.#underway.delete(id);
  }

  /** Records that an event was processed, for this process and the next. */
  markProcessed(id: string, nowMs: number): void {
    this.#underway.delete(id);
    this.#settled.set(id, nowMs);
    if (this.#settled.size <= maxRemembered) return;
    const [oldest] = this.#settled.keys();
    if (oldest !== undefined) this.#settled.delete(oldest);
  }

  /** Deliveries sent until then and never received, in log order. */
  findMissed<Logged extends LogEntry>(log: readonly Logged[], untilMs: number): readonly Logged[] {
    return log.filter(
      ({ event_id, created_at }) => Date.parse(created_at) <= untilMs && !this.#isKnown(event_id),
    );
  }

  /** The log was read up to here and missed events were received. Late entries are still looked for. */
  moveOn(untilMs: number, nowMs: number): void {
    // Events in progress would be lost with this process, so the log is read again for them.
    const bounds = [untilMs, nowMs - logDelayMs, ...this.#underway.values()];
    const earliestMs = bounds.reduce((least, bound) => Math.min(least, bound));
    this.#unsettledFromMs = Math.max(this.#unsettledFromMs, earliestMs);
  }

  /** The state for the next process. */
  save(): SavedGapLedger {
    // An event is processed after it was sent, so everything before this time is done. The latest ones are kept
    // anyway: the service may still retry events that were fetched from its log.
    const firstKept = this.#settled.size - minSaved;
    const kept = [...this.#settled].filter(
      ([, nowMs], place) => nowMs >= this.#unsettledFromMs || place >= firstKept,
    );
    return { unsettled_from_ms: this.#unsettledFromMs, settled: Object.fromEntries(kept) };
  }

  #isKnown(id: string): boolean {
    return this.#settled.has(id) || this.#underway.has(id);
  }
}

/** The initial state. */
export function emptyGapLedger(nowMs: number): SavedGapLedger {
  return { unsettled_from_ms: nowMs, settled: {} };
}

/** Parses a saved ledger; undefined for anything else. */
export function parseGapLedger(value: unknown): SavedGapLedger | undefined {
  if (!isFields(value)) return undefined;
  const { unsettled_from_ms, settled } = value;
  if (typeof unsettled_from_ms !== 'number' || !Number.isFinite(unsettled_from_ms)) return undefined;
  if (!isFields(settled)) return undefined;
  const entries = Object.entries(settled).filter((entry): entry is [string, number] =>
    Number.isFinite(entry[1]),
  );
  return { unsettled_from_ms, settled: Object.fromEntries(entries) };
}

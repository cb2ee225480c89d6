import { SalonError } from '../../contract/errors.ts';

export interface FairQueueOptions {
  /** Requests of one account under way at a time. */
  readonly maxRunning: number;
  /** Requests of all accounts under way at a time. */
  readonly maxRunningTotal: number;
  /** Requests of one account that may be under way or wait. */
  readonly maxPending: number;
  /** The same of all accounts together. Above it, no account gets more than an equal share. */
  readonly maxPendingTotal: number;
  /** How long a request waits before it is refused. */
  readonly maxWaitMs: number;
  /** How long requests may begin in one turn of the event loop, before others are read and refused. */
  readonly sliceMs: number;
  readonly uptimeMs?: () => number;
}

/** Decides which request runs next: a few of each account at a time, accounts in turn, and the keys of an account in turn. */
export interface FairQueue {
  /**
   * Admits a request; `key` is its API key or sign-in. Throws `service_unavailable` when its account, or the service, has
   * too many.
   */
  admit(accountId: string, key?: string): Turn;
  readonly load: () => QueueLoad;
}

interface QueueLoad {
  readonly running: number;
  readonly waiting: number;
  /** Requests refused so far. */
  readonly refused: number;
}

/** The place of an admitted request. Always end it. */
export interface Turn {
  /** Resolves when the request may run; undefined if it may at once. Throws `service_unavailable` after a long wait. */
  start(): Promise<void> | undefined;
  /** May be called twice. */
  end(): void;
  /** Ends it unless the request runs: work that has begun goes on when its client has gone. */
  leave(): void;
}

/** The requests of one account. */
interface AccountQueue {
  readonly accountId: string;
  pending: number;
  running: number;
  readonly waiting: WaitingRequests;
}

/** What a queue does with its places. */
interface Places {
  start(place: Place): Promise<void> | undefined;
  end(place: Place): void;
}

/** A class, because every request has one. */
class Place implements Turn {
  state: 'admitted' | 'running' | 'ended' = 'admitted';
  stopWaiting: (() => void) | undefined = undefined;
  readonly queue: AccountQueue;
  readonly key: string;
  readonly #places: Places;

  constructor(queue: AccountQueue, key: string, places: Places) {
    this.queue = queue;
    this.key = key;
    this.#places = places;
  }

  start(): Promise<void> | undefined {
    return this.#places.start(this);
  }

  end(): void {
    if (this.state !== 'ended') this.#places.end(this);
  }

  leave(): void {
    if (this.state === 'admitted') this.#places.end(this);
  }
}

const retryAfterMs = 1_000;

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { maxRunning, maxRunningTotal, maxPending, maxPendingTotal, maxWaitMs } = options;
  const { sliceMs, uptimeMs = () => performance.now() } = options;
  const queues = new Map<string, AccountQueue>();
  /** Queues with requests that wait, the one served last at the end. */
  const rotation: AccountQueue[] = [];
  /** Undefined until a request begins in this turn of the event loop. */
  let sliceEndsAtMs: number | undefined;
  /** Whether a request that might have begun waits for the next turn. */
  let isCutShort = false;
  const total = { pending: 0, running: 0, waiting: 0, refused: 0 };
  const places: Places = { start, end };

  function admit(accountId: string, key = ''): Turn {
    const waiting = new WaitingRequests();
    const queue = queues.get(accountId) ?? { accountId, pending: 0, running: 0, waiting };
    if (isFull(queue)) {
      throw refuse('This account has too many requests in progress. Try again in a second.');
    }
    queues.set(accountId, queue);
    queue.pending += 1;
    total.pending += 1;
    return new Place(queue, key, places);
  }

  function isFull({ pending }: AccountQueue): boolean {
    const isShareUsed = pending >= maxPendingTotal / Math.max(1, queues.size);
    return pending >= maxPending || (total.pending >= maxPendingTotal && isShareUsed);
  }

  function mayRun(queue: AccountQueue): boolean {
    return total.running < maxRunningTotal && queue.running < maxRunning && !isSliceOver();
  }

  /** What answers at once would never have a queue, however much of it there is. */
  function isSliceOver(): boolean {
    const nowMs = uptimeMs();
    if (sliceEndsAtMs === undefined) {
      sliceEndsAtMs = nowMs + sliceMs;
      setImmediate(endSlice);
    }
    const isOver = nowMs >= sliceEndsAtMs;
    isCutShort ||= isOver;
    return isOver;
  }

  function endSlice(): void {
    sliceEndsAtMs = undefined;
    if (!isCutShort) return;
    isCutShort = false;
    serveWaiting();
  }

  function start(place: Place): Promise<void> | undefined {
    if (!place.queue.waiting.isEmpty || !mayRun(place.queue)) return waitAt(place);
    run(place);
    return undefined;
  }

  function run(place: Place): void {
    place.state = 'running';
    place.queue.running += 1;
    total.running += 1;
  }

  function waitAt(place: Place): Promise<void> {
    const { queue, key } = place;
    return new Promise((resolve, reject) => {
      const pass = () => {
        place.stopWaiting?.();
        run(place);
        resolve();
      };
      const timer = setTimeout(() => {
        place.stopWaiting?.();
        reject(refuse('The request waited too long for other requests of this account.'));
      }, maxWaitMs);
      place.stopWaiting = () => {
        clearTimeout(timer);
        queue.waiting.remove(key, pass);
        total.waiting -= 1;
        place.stopWaiting = undefined;
      };
      queue.waiting.add(key, pass);
      if (!rotation.includes(queue)) rotation.push(queue);
      total.waiting += 1;
    });
  }

  function end(place: Place): void {
    const { queue } = place;
    place.stopWaiting?.();
    if (place.state === 'running') {
      queue.running -= 1;
      total.running -= 1;
    }
    place.state = 'ended';
    queue.pending -= 1;
    total.pending -= 1;
    if (queue.pending === 0) queues.delete(queue.accountId);
    if (rotation.length > 0) serveWaiting();
  }

  function serveWaiting(): void {
    for (let at = 0; at < rotation.length; ) {
      if (total.running >= maxRunningTotal || isSliceOver()) return;
      const queue = rotation[at];
      if (queue === undefined || (!queue.waiting.isEmpty && !mayRun(queue))) {
        at += 1;
        continue;
      }
      rotation.splice(at, 1);
      queue.waiting.next()?.();
      // At the end of the rotation, so that this loop reaches it again after all others.
      if (!queue.waiting.isEmpty) rotation.push(queue);
    }
  }

  function refuse(detail: string): SalonError {
    total.refused += 1;
    return new SalonError('service_unavailable', detail, { retryable: true, retryAfterMs });
  }

  return {
    admit,
    load: () => ({ running: total.running, waiting: total.waiting, refused: total.refused }),
  };
}

/** Requests of one account that wait: first come, first served for each API key or sign-in, which take turns. */
class WaitingRequests {
  /** The key served last at the end. */
  readonly #starts = new Map<string, Set<() => void>>();

  get isEmpty(): boolean {
    return this.#starts.size === 0;
  }

  add(key: string, start: () => void): void {
    const starts = this.#starts.get(key) ?? new Set();
    this.#starts.set(key, starts.add(start));
  }

  remove(key: string, start: () => void): void {
    const starts = this.#starts.get(key);
    starts?.delete(start);
    if (starts?.size === 0) this.#starts.delete(key);
  }

  /** What starts the next request. Its key goes behind all others. */
  next(): (() => void) | undefined {
    for (const [key, starts] of this.#starts) {
      this.#starts.delete(key);
      this.#starts.set(key, starts);
      for (const start of starts) return start;
    }
    return undefined;
  }
}

import type { TurnShare } from '../../contract/bounded-queue.ts';

interface TurnLimits {
  /** Tasks that begin in one turn of the event loop. */
  readonly maxTasks?: number;
  /** How long tasks begin in one turn. */
  readonly maxMs?: number;
  readonly uptimeMs?: () => number;
}

interface ShortenedShare extends TurnShare {
  /** Makes the next turn a short one, because a client connects. */
  noteConnection(): void;
}

/** Each turn accepts one connection, and the others wait for the next turns. */
const maxWhileConnecting = 2;

/**
 * Limits how many tasks begin in one turn of the event loop, so that timers, the disk and other connections get their turn.
 * With more than a thousand busy connections, libuv would otherwise read on and on before it runs anything else.
 */
export function createTurnShare({
  maxTasks = Number.POSITIVE_INFINITY,
  maxMs = Number.POSITIVE_INFINITY,
  uptimeMs = () => performance.now(),
}: TurnLimits): ShortenedShare {
  let limit = maxTasks;
  let begun = 0;
  let endsAtMs: number | undefined;
  let isCutShort = false;
  let isConnecting = false;
  let resume = () => {};

  function beginTurn(): number {
    setImmediate(endTurn);
    return uptimeMs() + maxMs;
  }

  function endTurn(): void {
    begun = 0;
    limit = isConnecting ? maxWhileConnecting : maxTasks;
    // A short turn ends even when nothing begins in it.
    endsAtMs = isConnecting ? beginTurn() : undefined;
    isConnecting = false;
    if (!isCutShort) return;
    isCutShort = false;
    resume();
  }

  return {
    take: () => {
      endsAtMs ??= beginTurn();
      const mayBegin = begun < limit && uptimeMs() < endsAtMs;
      if (mayBegin) begun += 1;
      else isCutShort = true;
      return mayBegin;
    },
    onNextTurn: (next) => {
      resume = next;
    },
    noteConnection: () => {
      isConnecting = true;
      endsAtMs ??= beginTurn();
    },
  };
}

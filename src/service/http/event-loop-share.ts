/** As many begin before it is noted that a turn of the event loop has ended: few requests a turn need no count. */
const uncounted = 16;
/** Requests that begin before timers, commits and other connections get their turn. */
const maxPerTurn = 128;
/** The same while clients connect: each turn accepts one connection, and the others wait for the next turns. */
const maxWhileConnecting = 2;

/** Limits how many requests begin in one turn of the event loop. */
export interface EventLoopShare {
  /** Begins a request in this turn or, first come first served, in one of the next ones. */
  enter(begin: () => void): void;
  /** Makes the next turn a short one. */
  noteConnection(): void;
}

/**
 * Lets a number of requests begin in each turn of the event loop, and the others in the next ones. With more than a
 * thousand busy connections, libuv would otherwise read on and on before it runs anything else.
 */
export function createEventLoopShare(): EventLoopShare {
  const waiting: (() => void)[] = [];
  let begun = 0;
  let limit = maxPerTurn;
  let isConnecting = false;
  let isTurnPlanned = false;

  function run(begin: () => void): void {
    begun += 1;
    if (begun >= uncounted) planTurn();
    begin();
  }

  function planTurn(): void {
    if (isTurnPlanned) return;
    isTurnPlanned = true;
    setImmediate(startTurn);
  }

  function startTurn(): void {
    isTurnPlanned = false;
    begun = 0;
    limit = isConnecting ? maxWhileConnecting : maxPerTurn;
    // A short turn ends even when few begin in it.
    if (isConnecting) planTurn();
    isConnecting = false;
    for (const begin of waiting.splice(0, limit)) run(begin);
  }

  return {
    enter: (begin) => {
      if (begun < limit && waiting.length === 0) return run(begin);
      planTurn();
      waiting.push(begin);
    },
    noteConnection: () => {
      isConnecting = true;
      planTurn();
    },
  };
}

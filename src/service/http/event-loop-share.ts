/** As many begin before it is noted that a turn of the event loop has ended: few requests a turn need no count. */
const uncounted = 16;
/** Requests that begin before timers, commits and other connections get their turn. */
const maxPerTurn = 128;

/**
 * Lets a number of requests begin in each turn of the event loop, and the others in the next ones, first come first
 * served. With more than a thousand busy connections, libuv would otherwise read on and on before it runs anything else.
 */
export function createEventLoopShare(): (begin: () => void) => void {
  const waiting: (() => void)[] = [];
  let begun = 0;
  let isTurnPlanned = false;

  function enter(begin: () => void): void {
    begun += 1;
    if (begun >= uncounted) planTurn();
    begin();
  }

  function planTurn(): void {
    if (isTurnPlanned) return;
    isTurnPlanned = true;
    setImmediate(() => {
      isTurnPlanned = false;
      begun = 0;
      for (const begin of waiting.splice(0, maxPerTurn)) enter(begin);
    });
  }

  return (begin) => {
    if (begun < maxPerTurn && waiting.length === 0) return enter(begin);
    planTurn();
    waiting.push(begin);
  };
}

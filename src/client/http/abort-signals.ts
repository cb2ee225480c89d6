/** What ends a request: `stop` only before it is begun, `abort` also while it is under way. */
export interface AbortSignals {
  readonly stop: AbortSignal;
  readonly abort: AbortSignal;
}

export interface ClientSignals {
  readonly stop: AbortSignal | undefined;
  readonly abort: AbortSignal;
}

/** Joins a client's signals with that of a request. The thousands of requests of a walk share one, and what comes of it. */
export function createAbortSignals(client: ClientSignals): (signal: AbortSignal | undefined) => AbortSignals {
  const own = toEndings(client.abort, client.stop);
  const joined = new WeakMap<AbortSignal, AbortSignals>();
  return (signal) => {
    if (signal === undefined) return own;
    const known = joined.get(signal) ?? toEndings(AbortSignal.any([client.abort, signal]), client.stop);
    joined.set(signal, known);
    return known;
  };
}

function toEndings(abort: AbortSignal, stop: AbortSignal | undefined): AbortSignals {
  return { abort, stop: stop === undefined ? abort : AbortSignal.any([abort, stop]) };
}

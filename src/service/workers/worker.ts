import cluster from 'node:cluster';

/** Undefined in a process that no primary process has started. */
export function joinPrimary() {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const ordered = new Promise<OrderMessage['salon']>((resolve) => {
    worker.on('message', (message: unknown) => {
      if (isOrder(message)) resolve(message.salon);
    });
  });
  return {
    /** Notifies the primary process that the service accepts requests. */
    announce: (origin: string) => void worker.send({ salon: 'ready', origin } satisfies ReadyMessage),
    /** Resolves with the order to end. */
    ordered,
    // The channel would keep the process running.
    [Symbol.dispose]: () => void worker.disconnect(),
  };
}

/** What a worker sends to the primary process: it accepts requests at this address. */
export interface ReadyMessage {
  readonly salon: 'ready';
  readonly origin: string;
}

/**
 * What the primary process sends to a worker: `drain` ends it when its connections have had their last response, `stop` as
 * a signal does.
 */
export interface OrderMessage {
  readonly salon: 'drain' | 'stop';
}

/** Other messages on the channel are those of libraries. */
export function isReady(message: unknown): message is ReadyMessage {
  return isOurs(message) && message.salon === 'ready';
}

export function isOrder(message: unknown): message is OrderMessage {
  return isOurs(message) && (message.salon === 'drain' || message.salon === 'stop');
}

function isOurs(message: unknown): message is { readonly salon: unknown } {
  return typeof message === 'object' && message !== null && 'salon' in message;
}

import cluster from 'node:cluster';

/** This process as a worker of another one, until it is disposed. */
export interface WorkerLink extends Disposable {
  /** Notifies the primary process that the service accepts requests. */
  announce(origin: string): void;
  /** Resolves with the order to end. */
  readonly ordered: Promise<OrderMessage['salon']>;
}

/** Undefined in a process that no primary process has started. */
export function joinPrimary(): WorkerLink | undefined {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  const ordered = new Promise<OrderMessage['salon']>((resolve) => {
    worker.on('message', (message: unknown) => {
      if (isOrder(message)) resolve(message.salon);
    });
  });
  return {
    announce: (origin) => void worker.send({ salon: 'ready', origin } satisfies ReadyMessage),
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

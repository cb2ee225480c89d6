import cluster from 'node:cluster';
import { isOrder, type OrderMessage, type ReadyMessage } from './messages.ts';

/** This process as a worker of another one, until it is disposed. */
export interface WorkerLink extends Disposable {
  /** Tells the primary process that the service accepts requests. */
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

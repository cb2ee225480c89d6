/** What a worker tells the primary process: it accepts requests at this address. */
export interface ReadyMessage {
  readonly salon: 'ready';
  readonly origin: string;
}

/**
 * What the primary process tells a worker: `drain` ends it when its connections have had their last response, `stop` as
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

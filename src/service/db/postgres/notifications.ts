import pg from 'pg';
import type { Topic } from '../engine.ts';
import type { PostgresLocation } from './location.ts';
import { toClientConfig } from './pool.ts';

/** A notification that never arrives shows that the connection is dead or belongs to a pooler. */
const heartbeatMs = 2000;
const answerMs = 5000;
const reconnectMs = 1000;
/** Deliveries in quick succession share a notification: in a transaction it would wait for all other commits. */
const announceMs = 20;

/**
 * Listens on a separate connection, from the first call on. While it is not certain that notifications arrive,
 * every reading of the data version gives another one.
 */
export function createNotifications(location: PostgresLocation) {
  const listeners: Record<Topic, Set<() => void>> = { access: new Set(), deliveries: new Set() };
  let version = 1;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let announcing: NodeJS.Timeout | undefined;
  let heardMs = Number.NEGATIVE_INFINITY;
  let isStarted = false;
  let isClosed = false;

  const isHearing = () => client !== undefined && performance.now() - heardMs < answerMs;

  function wake(topic: Topic): void {
    if (topic === 'access') version += 1;
    for (const listener of listeners[topic]) listener();
  }

  function start(): void {
    if (isStarted || isClosed) return;
    isStarted = true;
    void connect();
  }

  async function connect(): Promise<void> {
    // Notifications go out while a slow server has not confirmed earlier ones.
    const next = new pg.Client({ ...toClientConfig(location), pipeline: true });
    next.on('error', () => lose(next));
    next.on('end', () => lose(next));
    next.on('notification', ({ channel, processId }) => hear(next, channel, processId));
    try {
      await next.connect();
      await next.query('listen salon_access; listen salon_deliveries; listen salon_heartbeat');
      if (isClosed) return await next.end();
      client = next;
      // Notifications that were sent in the meantime are lost.
      wake('access');
      wake('deliveries');
      beat(next);
    } catch {
      lose(next);
    }
  }

  /** Goes through the same server as all other notifications. */
  function beat(current: pg.Client): void {
    if (current !== client) return;
    current.query('notify salon_heartbeat').catch(() => lose(current));
    timer = setTimeout(() => {
      if (performance.now() - heardMs >= answerMs + heartbeatMs && heardMs > 0) lose(current);
      else beat(current);
    }, heartbeatMs).unref();
  }

  function hear(from: pg.Client, channel: string, processId: number): void {
    const isOwn = 'processID' in from && from.processID === processId;
    if (channel === 'salon_heartbeat') heardMs = performance.now();
    else if (channel === 'salon_access') wake('access');
    else if (!isOwn) wake('deliveries');
  }

  function lose(lost: pg.Client): void {
    lost.end().catch(() => {});
    if (client !== undefined && client !== lost) return;
    client = undefined;
    if (isClosed) return;
    clearTimeout(timer);
    timer = setTimeout(connect, reconnectMs).unref();
  }

  return {
    announce(topics: ReadonlySet<Topic>) {
      for (const topic of topics) wake(topic);
      if (!topics.has('deliveries') || client === undefined || announcing !== undefined) return;
      announcing = setTimeout(() => {
        announcing = undefined;
        client?.query('notify salon_deliveries').catch(() => {});
      }, announceMs).unref();
    },
    readDataVersion() {
      start();
      if (!isHearing()) version += 1;
      return version;
    },
    listen(topic: Topic, listener: () => void) {
      start();
      listeners[topic].add(listener);
      return () => listeners[topic].delete(listener);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      clearTimeout(announcing);
      await client?.end().catch(() => {});
    },
  };
}

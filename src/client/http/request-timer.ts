import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import type { buildConnector } from 'undici';

export type Connector = buildConnector.connector;
type Socket = Parameters<Extract<Parameters<Connector>[1], (error: null, ...rest: never) => void>>[1];

/** When a connection was opened. */
interface Opening {
  readonly startMs: number;
  readonly isSecure: boolean;
  foundMs?: number;
  connectedMs?: number;
  endMs: number;
}

/** Openings of connections that no request has used yet. */
const openings = new WeakMap<object, Opening>();

/** undici announces the headers of a request before anything else can start one, so one variable is enough. */
let starting: ((socket: Exclude<Socket, null>) => void) | undefined;
let isWatching = false;

function watchConnections(): void {
  if (isWatching) return;
  isWatching = true;
  subscribe('undici:client:sendHeaders', (message) => {
    starting?.((message as { readonly socket: Exclude<Socket, null> }).socket);
    starting = undefined;
  });
}

/** Measures the phases of every connection that is opened. */
export function timeConnect(connect: Connector): Connector {
  return (target, callback) => {
    const opening: Opening = {
      startMs: performance.now(),
      isSecure: target.protocol === 'https:',
      endMs: 0,
    };
    const done: typeof callback = (...result) => {
      const [error, socket] = result;
      if (error === null) {
        // In a tunnel, the connector of TLS started on this socket when the tunnel was ready.
        opening.connectedMs ??= openings.get(socket)?.startMs ?? performance.now();
        openings.set(socket, { ...opening, endMs: performance.now() });
      }
      callback(...result);
    };
    // The types of undici leave out that its connector returns the socket.
    const socket: unknown = connect(target, done);
    if (!(socket instanceof EventEmitter)) return;
    socket.once('lookup', () => {
      opening.foundMs = performance.now();
    });
    socket.once('connect', () => {
      opening.connectedMs = performance.now();
    });
  };
}

/** Starts measuring a request. */
export function createRequestTimer() {
  watchConnections();
  const createdMs = performance.now();
  let startedMs: number | undefined;
  let sentMs: number | undefined;
  let respondedMs: number | undefined;
  let endedMs: number | undefined;
  let opening: Opening | undefined;
  let address: string | undefined;
  return {
    /** The request is about to be written to a connection. */
    started() {
      startedMs = performance.now();
      starting = (socket) => {
        sentMs = performance.now();
        opening = openings.get(socket);
        openings.delete(socket);
        address = socket.remoteAddress;
      };
    },
    responded() {
      respondedMs ??= performance.now();
    },
    /** The measured phases; the last one ends with the first call. */
    read() {
      endedMs ??= performance.now();
      const phases = opening === undefined ? undefined : toPhases(opening, createdMs);
      const { dnsMs = 0, connectMs = 0, tlsMs = 0 } = phases ?? {};
      const writtenMs = sentMs ?? startedMs;
      return {
        blockedMs: Math.max(0, (startedMs ?? endedMs) - createdMs - dnsMs - connectMs - tlsMs),
        dnsMs: phases?.dnsMs,
        connectMs: phases?.connectMs,
        tlsMs: phases?.tlsMs,
        sendMs: startedMs === undefined ? undefined : (writtenMs ?? startedMs) - startedMs,
        waitMs: writtenMs === undefined ? undefined : (respondedMs ?? endedMs) - writtenMs,
        receiveMs: respondedMs === undefined ? undefined : endedMs - respondedMs,
        totalMs: endedMs - createdMs,
        address,
      };
    },
  };
}

/** Measures one request. */
export type RequestTimer = ReturnType<typeof createRequestTimer>;

/** Undefined for a connection that was opened for an earlier request. */
function toPhases({ startMs, isSecure, foundMs, connectedMs = startMs, endMs }: Opening, createdMs: number) {
  if (endMs < createdMs) return undefined;
  const tcpStartMs = foundMs ?? startMs;
  return {
    dnsMs: foundMs === undefined ? undefined : foundMs - startMs,
    connectMs: connectedMs - tcpStartMs,
    tlsMs: isSecure ? endMs - connectedMs : undefined,
  };
}

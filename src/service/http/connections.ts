import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createBudget } from './budget.ts';
import type { Turn } from './fair-queue.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The place in the queue of its account; none before authentication and on public routes. */
    turn?: Turn;
    /** Bytes of a large response that the client has not accepted yet. */
    unsentBytes?: number;
    /** Whether it was refused because there were too many. */
    isShed?: boolean;
  }
}

/** Whether an account has so many unsent bytes of responses that it gets no more for now. */
export type UnsentCheck = (accountId: string) => boolean;

interface Connection {
  isBusy: boolean;
  /** Whether its last request was refused a moment ago. */
  isShed: boolean;
  /** Starts each request that arrived before the one before it was answered. */
  readonly held: (() => void)[];
}

/** A client that sends more requests ahead, and reads nothing, is cut off. */
const maxHeldPerConnection = 1_000;
const maxHeld = 10_000;
/** Every response may be as large without being counted: a connection has no more than one. */
const freeBytes = 16_384;
/** A page of 200 records is about 100 KiB. */
const unsentLimits = { maxPerOwner: 16 * 2 ** 20, maxTotal: 256 * 2 ** 20 };
/** A connection ends when its client accepts nothing of a response for this long. */
const stallTimeoutMs = 20_000;
/** The system takes over smaller responses at once. */
const timedBytes = 65_536;
/** A connection is not read for this long after such a refusal: less than the client was told to wait. */
const shedPauseMs = 500;

/**
 * Serves one request of a connection at a time, and bounds what responses that nobody reads hold in memory. Call it
 * first, so that a request does nothing before it is its turn on the connection.
 */
export function addConnectionLimits(app: FastifyInstance): UnsentCheck {
  const connections = new WeakMap<Socket, Connection>();
  const unsent = createBudget(unsentLimits);
  const share = createEventLoopShare();
  let held = 0;

  app.server.on('connection', share.noteConnection);

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const connection = connections.get(socket) ?? openConnection(socket);
    // This event comes only once, and `on` costs less than `once`.
    reply.raw.on('close', () => {
      release(request);
      serveNext(socket, connection);
      if (request.isShed && !isProxied(request)) pauseReading(socket, connection);
    });
    if (!connection.isBusy) {
      connection.isBusy = true;
      share.enter(done);
    } else if (held < maxHeld && connection.held.length < maxHeldPerConnection) {
      // The rest of what the client sends ahead stays outside, in the buffers of the network.
      socket.pause();
      connection.held.push(done);
      held += 1;
    } else {
      socket.destroy();
    }
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    request.turn?.end();
    noteUnsent(request, reply, payload);
    done();
  });

  function openConnection(socket: Socket): Connection {
    const connection = { isBusy: false, isShed: false, held: [] };
    connections.set(socket, connection);
    // Node resumes it after every request.
    socket.on('resume', () => {
      if (!mayRead(connection)) socket.pause();
    });
    return connection;
  }

  function serveNext(socket: Socket, connection: Connection): void {
    if (socket.destroyed) {
      held -= connection.held.length;
      connection.held.length = 0;
      return;
    }
    const next = connection.held.shift();
    connection.isBusy = next !== undefined;
    if (next === undefined) return;
    held -= 1;
    socket.setTimeout(0);
    if (mayRead(connection)) socket.resume();
    share.enter(next);
  }

  function noteUnsent(request: FastifyRequest, { raw }: FastifyReply, payload: unknown): void {
    const bytes = toLength(payload);
    // A stream is never ahead of its reader by much, and ends by itself.
    if (bytes === undefined || bytes <= freeBytes || raw.destroyed) return;
    request.unsentBytes = bytes;
    unsent.add(toBudgetOwner(request), bytes);
    if (bytes > timedBytes) raw.socket?.setTimeout(stallTimeoutMs);
  }

  function release(request: FastifyRequest): void {
    request.turn?.leave();
    request.releaseBody?.();
    if (request.unsentBytes !== undefined) unsent.give(toBudgetOwner(request), request.unsentBytes);
  }

  return (accountId) => unsent.isUsedUp(accountId);
}

/** The connection of a proxy may bring the requests of others next. */
function isProxied({ ip, raw }: FastifyRequest): boolean {
  return ip !== raw.socket.remoteAddress;
}

function mayRead({ held, isShed }: Connection): boolean {
  return held.length === 0 && !isShed;
}

/** Keeps a client that does not wait from taking up the time of others with its refusals. */
function pauseReading(socket: Socket, connection: Connection): void {
  connection.isShed = true;
  socket.pause();
  setTimeout(() => {
    connection.isShed = false;
    if (mayRead(connection)) socket.resume();
  }, shedPauseMs).unref();
}

/** Requests without an account share one budget. */
export function toBudgetOwner({ caller }: FastifyRequest): string {
  return caller?.account.id ?? '';
}

function toLength(payload: unknown): number | undefined {
  if (typeof payload === 'string') return payload.length;
  return payload instanceof Uint8Array ? payload.byteLength : undefined;
}

/** As many begin before it is noted that a turn of the event loop has ended: few requests a turn need no count. */
const uncounted = 16;
/** Requests that begin before timers, commits and other connections get their turn. */
const maxPerTurn = 128;
/** The same while clients connect: each turn accepts one connection, and the others wait for the next turns. */
const maxWhileConnecting = 2;

/** Limits how many requests begin in one turn of the event loop. */
interface EventLoopShare {
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

import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createBoundedQueue, type Place } from '../../queue.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The place in the queue of its account; none before authentication and on public routes. */
    place?: Place;
    /** Bytes of a large response that the client has not accepted yet. */
    unsentBytes?: number;
    /** Whether it was refused because there were too many. */
    isShed?: boolean;
  }
}

/** Whether an account has so many unsent bytes of responses that it gets no more for now. */
export type UnsentCheck = (accountId: string) => boolean;

interface Connection {
  /** Requests that arrived and are not answered yet. */
  pending: number;
  /** Whether its last request was refused a moment ago. */
  isShed: boolean;
}

/** A client that sends more requests ahead, and reads nothing, is cut off. */
const pendingLimits = { maxRunning: 1, maxPending: 1_001, maxPendingTotal: 10_000 };
/** Requests that begin before timers, commits and other connections get their turn. */
const maxPerTurn = 128;
/** Every response may be as large without being counted: a connection has no more than one. */
const freeBytes = 16_384;
/** A page of 200 records is about 100 KiB. */
const unsentLimits = { maxPerOwner: 16 * 2 ** 20, maxTotal: 256 * 2 ** 20 };
/** A connection ends when its client accepts nothing of a response for this long. */
const stallTimeoutMs = 20_000;
/** The system takes over smaller responses at once. */
const timedBytes = 65_536;
/** A connection is not read for this long after such a refusal: less than its `Retry-After`. */
const shedPauseMs = 500;

/**
 * Serves one request of a connection at a time, and bounds what unread responses hold in memory. Call it
 * first, so that a request does nothing before it is its turn on the connection.
 */
export function addConnectionLimits(app: FastifyInstance): UnsentCheck {
  const connections = new WeakMap<Socket, Connection>();
  const unsent = createBudget(unsentLimits);
  const share = createTurnShare({ maxTasks: maxPerTurn });
  const requests = createBoundedQueue<Socket>({ ...pendingLimits, share });

  app.server.on('connection', share.noteConnection);

  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw;
    const connection = connections.get(socket) ?? openConnection(socket);
    let place: Place;
    try {
      place = requests.enter(socket);
    } catch {
      socket.destroy();
      return;
    }
    connection.pending += 1;
    reply.raw.once('close', () => {
      release(request);
      connection.pending -= 1;
      if (!socket.destroyed && mayRead(connection)) socket.resume();
      place.end();
      if (request.isShed && !isProxied(request)) pauseReading(socket, connection);
    });
    // The rest of what the client sends ahead stays outside, in the buffers of the network.
    if (!mayRead(connection)) socket.pause();
    place.start(() => {
      if (socket.destroyed) return place.end();
      socket.setTimeout(0);
      done();
    });
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    request.place?.end();
    noteUnsent(request, reply, payload);
    done();
  });

  function openConnection(socket: Socket): Connection {
    const connection = { pending: 0, isShed: false };
    connections.set(socket, connection);
    // Node resumes it after every request.
    socket.on('resume', () => {
      if (!mayRead(connection)) socket.pause();
    });
    return connection;
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
    request.place?.leave();
    request.releaseBody?.();
    if (request.unsentBytes !== undefined) unsent.give(toBudgetOwner(request), request.unsentBytes);
  }

  return (accountId) => unsent.isUsedUp(accountId);
}

/** The connection of a proxy may bring the requests of others next. */
function isProxied({ ip, raw }: FastifyRequest): boolean {
  return ip !== raw.socket.remoteAddress;
}

function mayRead({ pending, isShed }: Connection): boolean {
  return pending <= 1 && !isShed;
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
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : undefined;
}

interface BudgetLimits {
  readonly maxPerOwner: number;
  readonly maxTotal: number;
}

/** Limits what owners hold of something, such as bytes in memory: each of them, and all together. */
export function createBudget({ maxPerOwner, maxTotal }: BudgetLimits) {
  const taken = new Map<string, number>();
  let total = 0;

  function add(owner: string, amount: number): void {
    const now = (taken.get(owner) ?? 0) + amount;
    if (now === 0) taken.delete(owner);
    else taken.set(owner, now);
    total += amount;
  }

  return {
    /** Takes an amount, unless it is too much. */
    take: (owner: string, amount: number) => {
      if (total + amount > maxTotal || (taken.get(owner) ?? 0) + amount > maxPerOwner) return false;
      add(owner, amount);
      return true;
    },
    /** Takes an amount that is held already. */
    add,
    give: (owner: string, amount: number) => add(owner, -amount),
    isUsedUp: (owner: string) => total >= maxTotal || (taken.get(owner) ?? 0) >= maxPerOwner,
  };
}

export type Budget = ReturnType<typeof createBudget>;

interface TurnLimits {
  /** Tasks that begin in one turn of the event loop. */
  readonly maxTasks?: number;
  /** How long tasks begin in one turn. */
  readonly maxMs?: number;
  readonly uptimeMs?: () => number;
}

/** Each turn accepts one connection, and the others wait for the next turns. */
const maxWhileConnecting = 2;

/**
 * Limits how many tasks begin in one turn of the event loop, so that timers, the disk and other connections get their turn.
 * With more than a thousand busy connections, libuv would otherwise read on and on before it runs anything else.
 */
export function createTurnShare({
  maxTasks = Number.POSITIVE_INFINITY,
  maxMs = Number.POSITIVE_INFINITY,
  uptimeMs = () => performance.now(),
}: TurnLimits) {
  let limit = maxTasks;
  let begun = 0;
  let endsAtMs: number | undefined;
  let isCutShort = false;
  let isConnecting = false;
  let resume = () => {};

  function beginTurn(): number {
    setImmediate(endTurn);
    return uptimeMs() + maxMs;
  }

  function endTurn(): void {
    begun = 0;
    limit = isConnecting ? maxWhileConnecting : maxTasks;
    // A short turn ends even when nothing begins in it.
    endsAtMs = isConnecting ? beginTurn() : undefined;
    isConnecting = false;
    if (!isCutShort) return;
    isCutShort = false;
    resume();
  }

  return {
    take: () => {
      endsAtMs ??= beginTurn();
      const mayBegin = begun < limit && uptimeMs() < endsAtMs;
      if (mayBegin) begun += 1;
      else isCutShort = true;
      return mayBegin;
    },
    onNextTurn: (next: () => void) => {
      resume = next;
    },
    /** Makes the next turn a short one, because a client connects. */
    noteConnection: () => {
      isConnecting = true;
      endsAtMs ??= beginTurn();
    },
  };
}

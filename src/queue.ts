/**
 * Bounds on tasks. A task has a key, such as its account, and may have a part, such as an API key of the account. A part is
 * served in order, parts of a key take turns, and so do keys.
 */
export interface QueueOptions {
  /** Tasks of one key that run at a time, and of all keys together. */
  readonly maxRunning: number;
  readonly maxRunningTotal?: number;
  /** Tasks of one key that run or wait. */
  readonly maxPending?: number;
  /** The same of all keys together. Above it, no key gets more than an equal share. */
  readonly maxPendingTotal?: number;
  /** How long a task waits before it is refused. */
  readonly maxWaitMs?: number;
  /** The error for a task that finds the queue full, or has waited too long. */
  readonly refuse?: (reason: 'full' | 'late') => Error;
  readonly share?: TurnShare;
}

/** Decides how many tasks begin in one turn of the event loop. */
interface TurnShare {
  /** Whether one more may begin in this turn. */
  take(): boolean;
  /** Calls a function in the next turn after each one in which a task was put off. */
  onNextTurn(resume: () => void): void;
}

/** The place of an admitted task. Always end it. */
export interface Place {
  /** Calls `begin` when the task may run, maybe at once; with an error when it has waited too long. */
  start(begin: (error?: Error) => void): void;
  /** May be called twice. */
  end(): void;
  /** Ends it unless the task runs. */
  leave(): void;
}

/** The tasks of a key. */
interface Line<Key> {
  readonly key: Key;
  pending: number;
  running: number;
  /** Those that wait, by part; the part served last at the end. */
  readonly parts: Map<string, Set<Task<Key>>>;
}

interface Task<Key> {
  readonly line: Line<Key>;
  readonly part: string;
  state: 'admitted' | 'waiting' | 'running' | 'ended';
  /** Begins it when it waits, or refuses it. */
  begin: (error?: Error) => void;
  timer: NodeJS.Timeout | undefined;
}

export type BoundedQueue<Key> = ReturnType<typeof createBoundedQueue<Key>>;

/** Runs a bounded number of tasks at a time. The others wait, and keys take turns, however many tasks one of them has. */
export function createBoundedQueue<Key>(options: QueueOptions) {
  const { maxRunning, maxRunningTotal = Infinity, maxWaitMs, share } = options;
  const { maxPending = Infinity, maxPendingTotal = Infinity } = options;
  const { refuse = () => new RangeError('The queue is full.') } = options;
  const lines = new Map<Key, Line<Key>>();
  /** Lines with tasks that wait, the one served last at the end. */
  const rotation = new Set<Line<Key>>();
  const total = { pending: 0, running: 0, waiting: 0 };
  let whenSettled: (() => void)[] = [];
  share?.onNextTurn(serveWaiting);

  /** Admits a task that begins later. Throws when the queue is full. */
  function enter(key: Key, part = ''): Place {
    const line = lines.get(key) ?? { key, pending: 0, running: 0, parts: new Map() };
    if (isFull(line)) throw refuse('full');
    lines.set(key, line);
    line.pending += 1;
    total.pending += 1;
    const task: Task<Key> = { line, part, state: 'admitted', begin: () => {}, timer: undefined };
    return {
      start: (begin) => start(task, begin),
      end: () => end(task),
      leave: () => {
        if (task.state !== 'running') end(task);
      },
    };
  }

  function isFull({ pending }: Line<Key>): boolean {
    const isShareUsed = pending >= maxPendingTotal / Math.max(1, lines.size);
    return pending >= maxPending || (total.pending >= maxPendingTotal && isShareUsed);
  }

  function start(task: Task<Key>, begin: (error?: Error) => void): void {
    const { line } = task;
    if (line.parts.size === 0 && hasRoom(line) && share?.take() !== false) {
      countRunning(task);
      begin();
    } else {
      // Begun by a promise, so that the task keeps its asynchronous context, and may serve the next one when it ends at
      // once.
      const turn = Promise.withResolvers<Error | undefined>();
      turn.promise.then(begin);
      task.begin = turn.resolve;
      wait(task);
    }
  }

  function hasRoom(line: Line<Key>): boolean {
    return total.running < maxRunningTotal && line.running < maxRunning;
  }

  function countRunning(task: Task<Key>): void {
    task.state = 'running';
    task.line.running += 1;
    total.running += 1;
  }

  function wait(task: Task<Key>): void {
    const { line, part } = task;
    task.state = 'waiting';
    line.parts.set(part, (line.parts.get(part) ?? new Set()).add(task));
    rotation.add(line);
    total.waiting += 1;
    if (maxWaitMs === undefined) return;
    task.timer = setTimeout(() => {
      stopWaiting(task);
      task.state = 'admitted';
      task.begin(refuse('late'));
    }, maxWaitMs);
  }

  function stopWaiting(task: Task<Key>): void {
    const { line, part } = task;
    clearTimeout(task.timer);
    const tasks = line.parts.get(part);
    tasks?.delete(task);
    if (tasks?.size === 0) line.parts.delete(part);
    if (line.parts.size === 0) rotation.delete(line);
    total.waiting -= 1;
  }

  function serveWaiting(): void {
    // A line that was served goes to the end of the set, where this loop reaches it again after all others.
    for (const line of rotation) {
      if (total.running >= maxRunningTotal) return;
      if (line.running >= maxRunning) continue;
      if (share?.take() === false) return;
      beginNext(line);
    }
  }

  function beginNext(line: Line<Key>): void {
    for (const [part, tasks] of line.parts) {
      const [task] = tasks;
      if (task === undefined) continue;
      // To the end, for the turns.
      line.parts.delete(part);
      line.parts.set(part, tasks);
      rotation.delete(line);
      rotation.add(line);
      stopWaiting(task);
      countRunning(task);
      task.begin();
      return;
    }
  }

  function end(task: Task<Key>): void {
    const { line, state } = task;
    if (state === 'ended') return;
    if (state === 'waiting') stopWaiting(task);
    if (state === 'running') {
      line.running -= 1;
      total.running -= 1;
    }
    task.state = 'ended';
    line.pending -= 1;
    total.pending -= 1;
    if (line.pending === 0) lines.delete(line.key);
    serveWaiting();
    if (total.pending > 0) return;
    for (const settle of whenSettled) settle();
    whenSettled = [];
  }

  /** Runs a task when it is its turn. Throws when the queue refuses it. */
  async function run<Result>(key: Key, task: () => Promise<Result>): Promise<Result> {
    const place = enter(key);
    try {
      await new Promise<void>((resolve, reject) => {
        place.start((error) => (error === undefined ? resolve() : reject(error)));
      });
      return await task();
    } finally {
      place.end();
    }
  }

  return {
    run,
    enter,
    load: () => ({ running: total.running, waiting: total.waiting }),
    /** Resolves when no task runs or waits. */
    settled: async () => {
      if (total.pending > 0) await new Promise<void>((resolve) => whenSettled.push(resolve));
    },
  };
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine, Writer } from './engine.ts';

/** Runs bodies in transactions, several in one where they arrive together. */
export interface GroupCommit {
  /** Answers once what the body did is on the disk; throws what the body or the commit threw. */
  transaction<Result>(body: (tx: Writer) => Promise<Result>): Promise<Result>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

/** A body that waits for its turn. */
interface Waiting {
  /** Answers how to tell its caller, which has to wait for the commit. */
  run(tx: Writer): Promise<Tell>;
  reject(error: unknown): void;
}

type Tell = () => void;

/** Bodies of one commit. Bounded, so that other processes get the lock in between. */
const mostTogether = 64;

/**
 * A commit waits for the disk, whatever it holds; so bodies that arrive close behind one another share one. They run
 * one after the other, and each sees what those before it did. One that throws takes back its own changes alone.
 * Nobody is told anything before the commit: a refusal, too, may rest on what a body before it did.
 */
export function createGroupCommit(engine: Pick<Engine, 'writer' | 'run'>): GroupCommit {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      await nextTurnThatIsQuiet(waiting);
      await commitTogether(engine, waiting.splice(0, mostTogether));
    }
    // In the same breath as the last look at who waits: nobody can arrive in between.
    running = undefined;
  }

  return {
    transaction: (body) =>
      new Promise((resolve, reject) => {
        const run = async (tx: Writer): Promise<Tell> => {
          const result = await body(tx);
          return () => resolve(result);
        };
        waiting.push({ run, reject });
        running ??= runAll();
      }),
    settled: async () => {
      await running;
    },
  };
}

/** Whoever is on the way comes along: the next turns, as long as each of them brings another body. */
async function nextTurnThatIsQuiet(waiting: readonly unknown[]): Promise<void> {
  for (let before = 0; before < waiting.length && waiting.length < mostTogether; ) {
    before = waiting.length;
    await nextTurn();
  }
}

async function commitTogether(
  { writer, run }: Pick<Engine, 'writer' | 'run'>,
  group: readonly Waiting[],
): Promise<void> {
  const [first, ...others] = group;
  try {
    const tellings = await writer.transaction().execute(async (transaction) => {
      const tx = Object.assign(transaction, { run });
      return first !== undefined && others.length === 0 ? [await first.run(tx)] : runEach(tx, group);
    });
    for (const tell of tellings) {
      tell();
    }
  } catch (error) {
    for (const { reject } of group) {
      reject(error);
    }
  }
}

async function runEach(tx: Writer, group: readonly Waiting[]): Promise<Tell[]> {
  const tellings: Tell[] = [];
  for (const waiting of group) {
    tellings.push(await runApart(tx, waiting));
  }
  return tellings;
}

/**
 * Throws only when the whole transaction is lost: a full disk can make SQLite take all of it back, and then
 * there is no savepoint any more.
 */
async function runApart(tx: Writer, { run, reject }: Waiting): Promise<Tell> {
  await tx.run('savepoint body', []);
  try {
    const tell = await run(tx);
    await tx.run('release body', []);
    return tell;
  } catch (error) {
    await tx.run('rollback to body', []).catch(() => {
      throw error;
    });
    await tx.run('release body', []);
    return () => reject(error);
  }
}

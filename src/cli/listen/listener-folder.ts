import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireJobLock } from '../../bulk/jobs/job-lock.ts';
import { parseGapLedger, type SavedGapLedger } from '../../webhooks/gap-ledger.ts';

/** What a listener has to know of the one before it. */
export interface ListenerState {
  /** What its endpoint is called at the service: by this it is found where its identifier was never learned. */
  readonly description: string;
  readonly webhook_id: string | null;
  readonly secret: string | null;
  /** When it last dealt with something, or looked into the log. Unix milliseconds. */
  readonly alive_at_ms: number;
  readonly ledger: SavedGapLedger;
}

/** The folder of one listener, which this process alone has hold of. */
export interface ListenerFolder extends AsyncDisposable {
  /** Undefined before the first write, and where what is there cannot be read. */
  read(): ListenerState | undefined;
  /** Whole or not at all; a process that is killed leaves what was written before. */
  write(state: ListenerState): void;
  /** Removes it with all that is in it. */
  remove(): Promise<void>;
}

/** Where the listeners of one account on one service have their folders. The names tell nothing of either. */
export function listenersFolder(dataFolder: string, origin: string, owner: string): string {
  const fingerprint = createHash('sha256').update(`${origin}\n${owner}`).digest('hex').slice(0, 32);
  return join(dataFolder, 'listeners', fingerprint);
}

/** The folder of a listener that keeps its endpoint under a name. */
export function keptFolder(root: string, name: string): string {
  return join(root, `kept-${name}`);
}

/** The folder of one that removes it. */
export function temporaryFolder(root: string, token: string): string {
  return join(root, `temporary-${token}`);
}

/** Folders of listeners that were to remove their endpoints; those that are alive are among them. */
export function findTemporaryFolders(root: string): readonly string[] {
  return readdirSync(root)
    .filter((name) => name.startsWith('temporary-'))
    .sort()
    .map((name) => join(root, name));
}

/** Takes hold of a folder, which is made when missing; undefined where another process has it. */
export async function openListenerFolder(path: string): Promise<ListenerFolder | undefined> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const hold = await acquireJobLock(path);
  if (hold === undefined) return undefined;
  const file = join(path, 'state.json');
  return {
    read: () => parseState(readIfThere(file)),
    write(state) {
      writeFileSync(`${file}.draft`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${file}.draft`, file);
    },
    async remove() {
      rmSync(file, { force: true });
      await hold[Symbol.asyncDispose]();
      rmSync(path, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => hold[Symbol.asyncDispose](),
  };
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function parseState(text: string | undefined): ListenerState | undefined {
  if (text === undefined) return undefined;
  try {
    const { description, webhook_id, secret, alive_at_ms, ledger } = Object(JSON.parse(text));
    const parsed = parseGapLedger(ledger);
    if (typeof description !== 'string' || !Number.isFinite(alive_at_ms) || parsed === undefined)
      return undefined;
    return {
      description,
      webhook_id: typeof webhook_id === 'string' ? webhook_id : null,
      secret: typeof secret === 'string' ? secret : null,
      alive_at_ms,
      ledger: parsed,
    };
  } catch {
    return undefined;
  }
}

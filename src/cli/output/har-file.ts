import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { partialPath } from '../../bulk/export/partial-file.ts';
import { toFileFailure, withFileErrors, writeAll } from '../../bulk/jobs/file-access.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Io, version } from '../io.ts';
import type { EventMask, RequestEvent } from '../messages/request-log.ts';
import { type Exchange, toHarEntry } from './har-entry.ts';
import { readOutputTarget } from './output-file.ts';

/** An HTTP Archive that grows with each request and is complete when it is disposed of, however the command ended. */
export interface HarFile extends Disposable {
  record(event: RequestEvent): void;
}

export interface HarOptions {
  /** As given. */
  readonly path: string;
  readonly mask: EventMask;
  readonly isMasked: boolean;
}

/**
 * Opens an HTTP Archive that only its owner can read. It replaces an existing file at the end, also when a second Ctrl-C
 * ends the process. Throws `output_failed` and `usage`; a failure later is a warning, because the command's own result is
 * not affected.
 */
export async function openHarFile({ path, mask, isMasked }: HarOptions, io: Io): Promise<HarFile> {
  const target = path === '-' ? undefined : await readOutputTarget(resolve(io.cwd, path));
  if (target === undefined) throw new SalonError('usage', `--trace needs a file, not ${path}.`);
  const { realPath } = target;
  const partial = partialPath(target, randomUUID());
  const file = await withFileErrors(target.path, async () => openSync(partial, 'wx', 0o600));
  let failure: unknown;
  const pending = new Map<string, Exchange[]>();
  let separator = '\n';
  write(renderStart(isMasked));
  // The process may end without disposing.
  const atExit = io.onExit(finish);
  return {
    record(event) {
      const key = `${event.number} ${event.method} ${event.url}`;
      const [exchange, ...others] = pending.get(key) ?? [];
      if (event.type === 'request') {
        const started = { startedAt: io.now(), request: event, ending: undefined };
        pending.set(key, [...others, ...(exchange === undefined ? [] : [exchange]), started]);
        return;
      }
      if (others.length === 0) pending.delete(key);
      else pending.set(key, others);
      if (exchange !== undefined) add({ ...exchange, ending: event });
    },
    [Symbol.dispose]() {
      atExit[Symbol.dispose]();
      finish();
      if (failure === undefined) return;
      rmSync(partial, { force: true });
      const error = toFileFailure(target.path, failure);
      io.stderr.write(`warning: The trace is not saved. ${error instanceof Error ? error.message : error}\n`);
    },
  };

  function add(exchange: Exchange): void {
    write(separator + JSON.stringify(toHarEntry(exchange, mask)));
    separator = ',\n';
  }

  function finish(): void {
    for (const exchange of [...pending.values()].flat()) add(exchange);
    write(']}}\n');
    attempt(() => {
      fsyncSync(file);
      closeSync(file);
      renameSync(partial, realPath);
    });
  }

  function write(text: string): void {
    attempt(() => writeAll(file, Buffer.from(text)));
  }

  /** After a failure nothing more is written. */
  function attempt(act: () => void): void {
    if (failure !== undefined) return;
    try {
      act();
    } catch (error) {
      failure = error;
    }
  }
}

function renderStart(isMasked: boolean): string {
  const comment = isMasked
    ? 'API keys and personal data are masked.'
    : 'API keys are masked. Contains personal data.';
  const head = { version: '1.2', creator: { name: 'salon', version }, pages: [], comment };
  return `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`;
}

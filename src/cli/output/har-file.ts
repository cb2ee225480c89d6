import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { createPartialFile } from '../../bulk/export/partial-file.ts';
import { SalonError } from '../../contract/errors.ts';
import { type Io, version } from '../io.ts';
import type { EventMask, RequestEvent } from '../messages/request-log.ts';
import { type Exchange, toHarEntry } from './har-entry.ts';
import { openOutputFile, readOutputTarget } from './output-file.ts';

/** An HTTP Archive that grows with each request and is complete when it is disposed of, however the command ended. */
export interface HarFile extends AsyncDisposable {
  record(event: RequestEvent): void;
}

export interface HarOptions {
  /** As given. */
  readonly path: string;
  readonly mask: EventMask;
  readonly isMasked: boolean;
}

/**
 * Opens an HTTP Archive that only its owner can read. It replaces an existing file at the end. Throws `output_failed`
 * and `usage`; a failure later is a warning, because the command's own result is not affected.
 */
export async function openHarFile({ path, mask, isMasked }: HarOptions, io: Io): Promise<HarFile> {
  const file = await openFile(resolve(io.cwd, path));
  const pending = new Map<string, Exchange[]>();
  let isFirst = true;
  let writing = file.write(renderStart(isMasked));
  // The failure is reported at the end.
  writing.catch(() => {});
  return {
    record(event) {
      const key = `${event.number} ${event.method} ${event.url}`;
      if (event.type === 'request') {
        const exchange = { startedAt: io.now(), request: event, ending: undefined };
        pending.set(key, [...(pending.get(key) ?? []), exchange]);
        return;
      }
      const [exchange, ...others] = pending.get(key) ?? [];
      if (others.length > 0) pending.set(key, others);
      else pending.delete(key);
      if (exchange !== undefined) add({ ...exchange, ending: event });
    },
    async [Symbol.asyncDispose]() {
      for (const exchange of [...pending.values()].flat()) add(exchange);
      try {
        await writing;
        await file.write(']}}\n');
        await file.commit();
      } catch (error) {
        if (!(error instanceof SalonError)) throw error;
        await file[Symbol.asyncDispose]();
        io.stderr.write(`warning: The trace is not saved. ${error.message}\n`);
      }
    },
  };

  function add(exchange: Exchange): void {
    const text = JSON.stringify(toHarEntry(exchange, mask));
    const separator = isFirst ? '\n' : ',\n';
    isFirst = false;
    writing = writing.then(() => file.write(separator + text));
    writing.catch(() => {});
  }
}

async function openFile(path: string) {
  const target = await readOutputTarget(path);
  if (target === undefined) return openOutputFile(path);
  const { write, commit, discard } = await createPartialFile({ ...target, mode: 0o600 }, randomUUID());
  return { write, commit, [Symbol.asyncDispose]: discard };
}

function renderStart(isMasked: boolean): string {
  const comment = isMasked
    ? 'API keys and personal data are masked.'
    : 'API keys are masked. Contains personal data.';
  const head = { version: '1.2', creator: { name: 'salon', version }, pages: [], comment };
  return `{"log":${JSON.stringify(head).slice(0, -1)},"entries":[`;
}

import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { resolve } from 'node:path';
import { toFileFailure, withFileErrors, writeAll } from '../../bulk/jobs/file-access.ts';
import { partialPath } from '../../bulk/jobs/partial-file.ts';
import type { RequestTimings } from '../../client/events.ts';
import { SalonError } from '../../contract/errors.ts';
import type { GlobalFlags, PrintFlags } from '../flags/options.ts';
import { type Io, version } from '../io.ts';
import {
  chooseMask,
  type EventMask,
  type HttpHeaders,
  noMask,
  type RequestEvent,
  typeOf,
} from '../messages/request-trace.ts';
import { assertOutputPath, readOutputTarget } from './output-file.ts';

/**
 * Opens the HTTP Archive of --trace, which grows with each request, and only its owner can read. It replaces an existing file at
 * the end, also when a second Ctrl-C ends the process. Throws `output_failed` and `usage`; a failure later is a
 * warning, because the command's own result is not affected.
 */
export async function openHarFile(flags: GlobalFlags & PrintFlags, io: Io) {
  const { trace: path = '', output } = flags;
  if (output !== undefined && resolve(io.cwd, output) === resolve(io.cwd, path))
    throw new SalonError('usage', '--trace and --output need different files.');
  await assertOutputPath(path, io.cwd, '--trace');
  const mask = chooseMask(flags.mask);
  const target = path === '-' ? undefined : await readOutputTarget(resolve(io.cwd, path));
  if (target === undefined) throw new SalonError('usage', `--trace needs a file, not ${path}.`);
  const { realPath } = target;
  const partial = partialPath(target, randomUUID());
  const file = await withFileErrors(target.path, async () => openSync(partial, 'wx', 0o600));
  let failure: unknown;
  const pending = new Map<string, Exchange[]>();
  let separator = '\n';
  write(renderStart(mask !== noMask));
  // The process may end without disposing.
  const atExit = io.onExit(finish);
  return {
    record(event: RequestEvent) {
      const key = `${event.number} ${event.method} ${event.url}`;
      const [exchange, ...others] = pending.get(key) ?? [];
      if (event.type === 'request') {
        const started = { startedAt: io.now(), request: event, ending: undefined };
        pending.set(key, [...(pending.get(key) ?? []), started]);
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

/** One request and how it ended. */
interface Exchange {
  readonly startedAt: Date;
  readonly request: Extract<RequestEvent, { readonly type: 'request' }>;
  /** Undefined for a request that was still in progress at the end. */
  readonly ending: Exclude<RequestEvent, { readonly type: 'request' }> | undefined;
}

/** Longer bodies are cut. */
const maxBodyLength = 1_048_576;
/** What HTTP Archive writes for a number that is unknown. */
const unknown = -1;

/** An entry of an HTTP Archive, version 1.2 (http://www.softwareishard.com/blog/har-12-spec/). */
function toHarEntry({ startedAt, request, ending }: Exchange, mask: EventMask): object {
  const timings = toHarTimings(ending);
  const { ssl: _inConnect, ...phases } = timings;
  const failure = ending?.type === 'failure' ? mask.reason(ending.reason) : undefined;
  const problem = ending === undefined ? 'No response yet.' : failure;
  return {
    startedDateTime: startedAt.toISOString(),
    // The time of `ssl` is in `connect`.
    time: round(Object.values(phases).reduce((sum, ms) => sum + Math.max(0, ms), 0)),
    request: toHarRequest(request, mask),
    response: toHarResponse(ending, mask),
    cache: {},
    timings,
    // Members that are undefined are not written.
    serverIPAddress: ending?.timings?.address,
    comment: problem,
    _error: problem,
  };
}

function toHarRequest(request: Exchange['request'], mask: EventMask): object {
  const headers = request.headers();
  const url = mask.url(request.url);
  const body = request.body();
  const type = typeOf(headers);
  return {
    method: request.method,
    url: url.replaceAll('…', '%E2%80%A6'),
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(mask.headers(headers)),
    queryString: Array.from(new URLSearchParams(url.split('?')[1]), ([name, value]) => ({ name, value })),
    postData: body ? toHarBody(mask.body(body, { type, isError: false }), type) : undefined,
    headersSize: unknown,
    bodySize: request.bodyBytes,
  };
}

function toHarResponse(ending: Exchange['ending'], mask: EventMask): object {
  const status = ending?.status ?? 0;
  const response = ending?.type === 'response' ? ending : undefined;
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(mask.headers(response?.headers() ?? {})),
    content: response === undefined ? { size: 0, mimeType: 'x-unknown' } : toContent(response, mask),
    redirectURL: '',
    headersSize: unknown,
    bodySize: unknown,
  };
}

function toContent(response: Extract<RequestEvent, { readonly type: 'response' }>, mask: EventMask): object {
  const type = typeOf(response.headers());
  const body = mask.body(response.body(), { type, isError: response.status >= 400 });
  return { size: response.bodyBytes, ...toHarBody(body, type || 'x-unknown') };
}

function toHarBody(body: string, mimeType: string): object {
  const isCut = body.length > maxBodyLength;
  const comment = isCut ? `Cut: the first ${maxBodyLength} of ${body.length} characters.` : undefined;
  return { mimeType, text: body.slice(0, maxBodyLength), comment };
}

function toPairs(values: HttpHeaders): object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** `connect` includes `ssl`. */
function toHarTimings(ending: Exchange['ending']) {
  const measured: Partial<RequestTimings> = ending?.timings ?? {};
  const { blockedMs = ending?.tookMs ?? unknown, dnsMs = unknown, connectMs, tlsMs } = measured;
  return {
    blocked: round(blockedMs),
    dns: round(dnsMs),
    connect: connectMs === undefined ? unknown : round(connectMs + (tlsMs ?? 0)),
    ssl: round(tlsMs ?? unknown),
    // Unlike the others, these must not be unknown.
    send: round(measured.sendMs ?? 0),
    wait: round(measured.waitMs ?? 0),
    receive: round(measured.receiveMs ?? 0),
  };
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

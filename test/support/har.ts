import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

interface Har {
  readonly log: { readonly version: string; readonly entries: readonly HarEntry[] };
}

export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly postData?: { readonly text: string };
    readonly queryString: readonly object[];
  };
  readonly response: { readonly status: number; readonly content: { readonly text?: string } };
  readonly timings: Readonly<Record<string, number>>;
  readonly _error?: string;
  readonly serverIPAddress?: string;
}

/** Reads the entries of a HTTP Archive, and checks that it is valid. */
export function readHar(folder: string, name = 'trace.har'): readonly HarEntry[] {
  const { log } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Har;
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'salon', version: expect.any(String) } });
  for (const entry of log.entries) expectValid(entry);
  return log.entries;
}

/** The required members of http://www.softwareishard.com/blog/har-12-spec/. */
function expectValid(entry: HarEntry): void {
  const pairs = expect.any(Array);
  expect(entry).toMatchObject({
    startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    request: {
      method: expect.stringMatching(/^[A-Z]+$/),
      url: expect.stringMatching(/^https?:\/\/[!-~]+$/),
      httpVersion: 'HTTP/1.1',
      ...{ cookies: [], headers: pairs, queryString: pairs, headersSize: -1, bodySize: expect.any(Number) },
    },
    response: {
      ...{ status: expect.any(Number), statusText: expect.any(String), httpVersion: 'HTTP/1.1' },
      ...{ cookies: [], headers: pairs, redirectURL: '', headersSize: -1, bodySize: -1 },
      content: { size: expect.any(Number), mimeType: expect.stringMatching(/./) },
    },
    cache: {},
  });
  const {
    blocked = -1,
    dns = -1,
    connect = -1,
    send = -1,
    wait = -1,
    receive = -1,
    ssl = -1,
  } = entry.timings;
  expect(Math.min(send, wait, receive)).toBeGreaterThanOrEqual(0);
  if (ssl >= 0) expect(connect).toBeGreaterThanOrEqual(ssl);
  const sum = [blocked, dns, connect, send, wait, receive].reduce((total, ms) => total + Math.max(0, ms), 0);
  expect(entry.time).toBeCloseTo(sum, 2);
}

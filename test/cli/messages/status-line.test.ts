import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { createPrompts } from '../../../src/cli/messages/prompts.ts';
import {
  createStatusLine,
  openTextDisplay,
  silentStatusLine,
} from '../../../src/cli/messages/status-line.ts';

function createIo({ messages, columns }: { messages: boolean; columns?: number }): Io {
  const stderr = Object.assign(new Writable(), columns === undefined ? {} : { columns });
  return { stderr, terminal: { messages } } as Partial<Io> as Io;
}

describe('a status line', () => {
  it.each([
    ['shown on a terminal', { messages: true, columns: 80 }, { isQuiet: false }, false],
    ['silent with --quiet', { messages: true, columns: 80 }, { isQuiet: true }, true],
    ['silent in a pipe', { messages: false }, { isQuiet: false }, true],
    ['silent on a terminal without a width', { messages: true, columns: 0 }, { isQuiet: false }, true],
  ])('is %s', (_where, world, quiet, isSilent) => {
    expect(
      createStatusLine(createIo(world), { ...quiet, isPlain: async () => false }) === silentStatusLine,
    ).toBe(isSilent);
  });

  it('shows nothing while a question is open, and goes on after the answer', async () => {
    let written = '';
    // A line may follow another at once.
    let nowMs = 0;
    const stdin = Object.assign(new PassThrough(), { setRawMode() {} });
    const io = {
      ...createIo({ messages: true, columns: 80 }),
      stdin,
      stderr: Object.assign(new PassThrough(), { columns: 80 }).on('data', (text) => {
        written += text;
      }),
      now() {
        nowMs += 60_000;
        return new Date(nowMs);
      },
      discardTyped: async () => {},
      signal: new AbortController().signal,
    } as unknown as Io;
    const isPlain = async () => true;
    const status = createStatusLine(io, { isQuiet: false, isPlain });
    const prompts = createPrompts(io, { isAllowed: true, isPlain, status });
    status.show('work', () => 'Reading clients…');
    await vi.waitFor(() => expect(written).toContain('Reading clients…'));
    const answer = prompts.confirm('Sure?');
    await vi.waitFor(() => expect(written).toContain('Sure?'));
    status.show('work', () => '12 clients');
    const asked = written;
    stdin.write('y\n');
    expect(await answer).toBe(true);
    await vi.waitFor(() => expect(written).toContain('12 clients.'));
    status.hide('work');
    expect(asked).not.toContain('12 clients');
  });
});

describe('a text display', () => {
  it('writes a line every five seconds and the final status', () => {
    const { display, pass, lines } = openSample('Sending clients…');
    for (let second = 1; second <= 11; second += 1) {
      pass(1_000);
      display.show(`${second} of 12 clients`);
    }
    display.stop('12 of 12 clients');
    expect(lines()).toEqual([
      'Sending clients…',
      '5 of 12 clients.',
      '10 of 12 clients.',
      '12 of 12 clients.',
    ]);
  });

  it('repeats no line at the end, and writes none after a wait', () => {
    const done = openSample('5 of 5 clients');
    done.display.stop('5 of 5 clients');
    const waited = openSample('waiting for the rate limit, 40 s left');
    waited.display.stop(undefined);
    expect([...done.lines(), ...waited.lines()]).toEqual([
      '5 of 5 clients.',
      'Waiting for the rate limit, 40 s left.',
    ]);
  });
});

function openSample(text: string) {
  let written = '';
  let nowMs = 0;
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  const display = openTextDisplay({ stderr, now: () => new Date(nowMs) }, text);
  return {
    display,
    pass: (ms: number) => {
      nowMs += ms;
    },
    lines: () => written.split('\n').slice(0, -1),
  };
}

import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
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

import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/io.ts';
import { createStatusLine, silentStatus } from '../../../src/cli/messages/status-line.ts';

function createIo({ messages, columns }: { messages: boolean; columns?: number }): Io {
  const stderr = Object.assign(new Writable(), columns === undefined ? {} : { columns });
  return { stderr, terminal: { messages } } as Partial<Io> as Io;
}

describe('the status line', () => {
  it.each([
    ['shown to a person', { messages: true, columns: 80 }, { isQuiet: false }, false],
    ['silent with --quiet', { messages: true, columns: 80 }, { isQuiet: true }, true],
    ['silent in a pipe', { messages: false }, { isQuiet: false }, true],
    ['silent on a terminal without a width', { messages: true, columns: 0 }, { isQuiet: false }, true],
  ])('is %s', (_how, world, quiet, isSilent) => {
    expect(createStatusLine(createIo(world), { ...quiet, isPlain: async () => false }) === silentStatus).toBe(
      isSilent,
    );
  });
});

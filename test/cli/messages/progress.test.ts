import { describe, expect, it } from 'vitest';
import { renderProgress, silentStatusLine, startProgress } from '../../../src/cli/messages/status-line.ts';

const state = { noun: 'clients', elapsedMs: 10_000 };

describe('progress', () => {
  it.each([
    [{ done: 1_000, total: 5_000 }, '1,000 of 5,000 clients, 100 a second, 40 seconds left'],
    [{ done: 1_000, total: undefined }, '1,000 clients, 100 a second'],
    [
      { done: 4_500, total: 5_000, doneBefore: 4_000 },
      '4,500 of 5,000 clients, 50 a second, 10 seconds left',
    ],
    [{ done: 1, total: 2, elapsedMs: 0 }, '1 of 2 clients'],
    [{ done: 99, total: 100, elapsedMs: 99_000 }, '99 of 100 clients, 1 a second, 1 second left'],
    [{ done: 100, total: 10_000 }, '100 of 10,000 clients, 10 a second, 17 minutes left'],
    [{ done: 5_000, total: 5_000 }, '5,000 of 5,000 clients, 500 a second'],
  ])('shows count, rate and time left: %j', (change, text) => {
    expect(renderProgress({ ...state, ...change })).toBe(text);
  });

  it.each([
    ['in a pipe every five seconds', false, 2],
    ['not on a terminal', true, 0],
  ])('writes lines %s', (_where, messages, count) => {
    const lines: string[] = [];
    let nowMs = 0;
    const io = { now: () => new Date(nowMs), terminal: { messages } } as Parameters<typeof startProgress>[0];
    const progress = startProgress(io, {
      noun: 'clients',
      status: silentStatusLine,
      writeLine: (text) => void lines.push(text),
    });
    for (; nowMs <= 10_000; nowMs += 100) progress.update(nowMs / 100, 200);
    progress.stop();
    expect(lines).toHaveLength(count);
    for (const line of lines) expect(line).toMatch(/^\d+ of 200 clients, 10 a second, \d+ seconds left$/);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRepeatedFaults } from '../../../src/service/monitoring/log-options.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createNotes() {
  const written: string[] = [];
  const faults = createRepeatedFaults();
  const note = (fault: string, line: string) =>
    faults.note(fault, ({ repeated }) =>
      written.push(repeated === undefined ? line : `${line} ×${repeated}`),
    );
  return { written, note, close: faults.close };
}

describe('a fault that repeats', () => {
  it('is written at once, then once a minute with the number of repeats', () => {
    const { written, note } = createNotes();
    for (let index = 0; index < 600; index += 1) note('disk full', `line ${index}`);
    expect(written).toEqual(['line 0']);
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual(['line 0', 'line 599 ×599']);
    note('disk full', 'later');
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual(['line 0', 'line 599 ×599', 'later ×1']);
  });

  it('is written at once again after a minute without it', () => {
    const { written, note } = createNotes();
    note('disk full', 'first');
    vi.advanceTimersByTime(60_000);
    note('disk full', 'again');
    expect(written).toEqual(['first', 'again']);
  });

  it('holds back no other fault', () => {
    const { written, note } = createNotes();
    note('disk full', 'one');
    note('busy', 'other');
    expect(written).toEqual(['one', 'other']);
  });

  it('is reported at the end', () => {
    const { written, note, close } = createNotes();
    note('disk full', 'first');
    note('disk full', 'second');
    close();
    expect(written).toEqual(['first', 'second ×1']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import {
  createWaitReport,
  type StatusLine,
  silentStatusLine,
} from '../../../src/cli/messages/status-line.ts';
import type { ClientEvent } from '../../../src/client/events.ts';

const waiting: ClientEvent = { type: 'waiting', waitMs: 170_000, untilMs: 170_000 };
const to = { number: 1, method: 'GET', url: 'http://salon.test/', headers: () => ({}), bodyBytes: 0 };
const request: ClientEvent = { type: 'request', ...to, body: () => undefined };
const retry = (waitMs: number): ClientEvent => ({
  type: 'retry',
  ...to,
  attempts: 1,
  waitMs,
  reason: 'Too busy.',
});
const respond = (status: number): ClientEvent => ({
  ...{ type: 'response', ...to, status, body: () => '', tookMs: 1, timings: undefined },
});

/** A report whose clock the test sets, with what it has shown. */
function createReport({ hasStatus = false, isVerbose = false } = {}) {
  const lines: string[] = [];
  const clock = { nowMs: 0 };
  let shown: (() => string) | undefined;
  const line: StatusLine = {
    show: (_what, text) => {
      shown = text;
    },
    hide() {
      shown = undefined;
    },
    mute: () => new DisposableStack(),
  };
  const report = createWaitReport({
    status: hasStatus ? line : silentStatusLine,
    messages: { info: (text) => lines.push(text), isVerbose },
    now: () => clock.nowMs,
  });
  return { report, clock, lines, text: () => shown?.() };
}

describe('the status line', () => {
  it('shows the time left until the next request', () => {
    const { report, clock, text, lines } = createReport({ hasStatus: true });
    report(waiting);
    expect(text()).toBe('Waiting 3 min for the rate limit');
    clock.nowMs = 150_000;
    expect(text()).toBe('Waiting 20 s for the rate limit');
    report(request);
    expect(text()).toBeUndefined();
    expect(lines).toEqual([]);
  });

  it.each([
    [20_000, 'Too busy. Retrying in 20 s'],
    [50, undefined],
  ])('shows a wait of %i ms before a retry as %j', (waitMs, expected) => {
    const { report, text } = createReport({ hasStatus: true });
    report(retry(waitMs));
    expect(text()).toBe(expected);
  });
});

describe('without a status line', () => {
  it('a long wait has a line', () => {
    const { report, lines } = createReport();
    report(retry(30_000));
    report(waiting);
    expect(lines).toEqual(['Too busy. Retrying in 30 s.']);
  });

  it('a short wait has none, nor one before requests that succeed', () => {
    const { report, clock, lines } = createReport();
    for (clock.nowMs = 0; clock.nowMs < 60_000; clock.nowMs += 1000) {
      report(retry(1000));
      report(request);
      report(respond(200));
    }
    expect(lines).toEqual([]);
  });

  it('many short waits for one response have a line after five seconds, and then one a minute', () => {
    const { report, clock, lines } = createReport();
    const times: number[] = [];
    for (clock.nowMs = 0; clock.nowMs < 130_000; clock.nowMs += 1000) {
      const before = lines.length;
      report(retry(1000));
      report(request);
      report(respond(503));
      if (lines.length > before) times.push(clock.nowMs);
    }
    expect(times).toEqual([4000, 64_000, 124_000]);
  });

  it('--verbose has lines of its own', () => {
    const { report, lines } = createReport({ isVerbose: true });
    report(waiting);
    expect(lines).toEqual([]);
  });
});

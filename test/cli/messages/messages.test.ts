import { describe, expect, it } from 'vitest';
import { reportEvent, showWaiting } from '../../../src/cli/messages/messages.ts';
import type { StatusLine } from '../../../src/cli/messages/status-line.ts';
import type { ClientEvent } from '../../../src/client/events.ts';

const waiting: ClientEvent = { type: 'waiting', waitMs: 170_000, untilMs: 170_000 };
const request: ClientEvent = {
  type: 'request',
  number: 1,
  method: 'GET',
  url: 'http://salon.test/',
  headers: () => ({}),
  bodyBytes: 0,
  body: () => undefined,
};

function retryAfter(waitMs: number): ClientEvent {
  return {
    type: 'retry',
    method: 'GET',
    url: 'http://salon.test/',
    attempts: 1,
    waitMs,
    reason: 'It failed.',
  };
}

function createLine(): StatusLine & { text(): string | undefined } {
  let shown: (() => string) | undefined;
  return {
    show: (_what, text) => {
      shown = text;
    },
    hide() {
      shown = undefined;
    },
    mute: () => new DisposableStack(),
    text: () => shown?.(),
  };
}

describe('a wait for the rate limit', () => {
  it('is reported with --verbose', () => {
    const lines: string[] = [];
    const messages = {
      info() {},
      warn() {},
      show() {},
      request() {},
      watchesRequests: false,
      verbose: (text: string) => lines.push(text),
    };
    reportEvent(waiting, messages);
    expect(lines).toEqual(['waiting for the rate limit, 3 min left']);
  });

  it('shows the time left until the next request', () => {
    const line = createLine();
    let nowMs = 0;
    showWaiting(waiting, line, () => nowMs);
    expect(line.text()).toBe('waiting for the rate limit, 3 min left');
    nowMs = 150_000;
    expect(line.text()).toBe('waiting for the rate limit, 20 s left');
    showWaiting(request, line, () => nowMs);
    expect(line.text()).toBeUndefined();
  });

  it.each([
    [20_000, 'waiting to retry, 20 s left'],
    [50, undefined],
  ])('of %i ms before a retry is shown as %j', (waitMs, text) => {
    const line = createLine();
    showWaiting(retryAfter(waitMs), line, () => 0);
    expect(line.text()).toBe(text);
  });
});

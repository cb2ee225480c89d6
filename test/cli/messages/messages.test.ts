import { describe, expect, it } from 'vitest';
import { reportEvent } from '../../../src/cli/messages/messages.ts';

const waiting = { type: 'waiting', waitMs: 170_000, untilMs: 170_000 } as const;

describe('a wait for the rate limit', () => {
  it('is reported with --verbose', () => {
    const lines: string[] = [];
    const messages = {
      info() {},
      warn() {},
      show() {},
      request() {},
      watchesRequests: false,
      isVerbose: true,
      verbose: (text: string) => lines.push(text),
    };
    reportEvent(waiting, messages);
    expect(lines).toEqual(['waiting for the rate limit, 3 min left']);
  });
});

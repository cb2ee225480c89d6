import { describe, expect, it } from 'vitest';
import type { Messages } from '../../../src/cli/messages/messages.ts';
import { type RequestCost, renderCost, reportCost } from '../../../src/cli/messages/request-cost.ts';

const nowMs = Date.UTC(2026, 0, 1, 12, 37);
const limit = { limit: 5_000, remaining: 4_000, resetAtMs: nowMs + 23 * 60_000, windowMs: 3_600_000 };
const cost: RequestCost = {
  records: 100_000,
  perPage: 200,
  limit,
  perHour: undefined,
  nowMs,
  timeZone: 'Europe/Berlin',
};

describe('the cost of a list', () => {
  it.each([
    ["500 requests, 10% of this hour's limit", 500, cost],
    ["20 requests, less than 1% of this hour's limit", 20, cost],
    ['500 requests', 500, { ...cost, limit: undefined }],
    ['500 requests, 50% of the hourly budget (--rate)', 500, { ...cost, limit: undefined, perHour: 1_000 }],
    ['500 requests, 50% of the hourly budget (--rate)', 500, { ...cost, perHour: 1_000 }],
    ['500 requests, 10% of the limit', 500, { ...cost, limit: { ...limit, windowMs: 60_000 } }],
    ["4,001 requests, 80% of this hour's limit", 4_001, { ...cost, limit: { ...limit, remaining: 4_000 } }],
    [
      "3,000 requests, 60% of this hour's limit: 2,300 left now, the rest after 14:00 (in 23 min)",
      3_000,
      { ...cost, limit: { ...limit, remaining: 2_300 } },
    ],
    [
      "10 requests, less than 1% of this hour's limit: 3 left now",
      10,
      { ...cost, limit: { ...limit, remaining: 3, resetAtMs: undefined } },
    ],
  ])('is rendered as “%s”', (text, requests, given) => {
    expect(renderCost(requests, given)).toBe(text);
  });

  it.each([
    ['info', 'more than a tenth of the hour', { ...cost, records: 100_001 }],
    ['verbose', 'a tenth', cost],
    ['verbose', 'an unknown part', { ...cost, limit: undefined, records: 10 ** 7 }],
    ['nothing', 'one page', { ...cost, records: 200 }],
    ['nothing', 'no records', { ...cost, records: 0, perPage: 0 }],
  ])('is printed as %s for %s', (how, _part, given) => {
    const printed: string[] = [];
    const messages: Messages = {
      info: () => printed.push('info'),
      verbose: () => printed.push('verbose'),
      warn() {},
      show() {},
      request() {},
      watchesRequests: false,
      isVerbose: false,
    };
    reportCost(given, messages);
    expect(printed).toEqual(how === 'nothing' ? [] : [how]);
  });
});

import { describe, expect, it } from 'vitest';
import { parseHeaders } from '../../../src/cli/flags/headers.ts';

describe('headers', () => {
  const pairs = [
    ['webhook-id', 'evt_1'],
    ['Webhook-Signature', 'v1,a= v1,b='],
  ];
  const lines = 'webhook-id: evt_1\nWebhook-Signature:v1,a= v1,b= ';

  it.each([
    ['lines', lines],
    ['lines of Windows', `\uFEFF${lines.replaceAll('\n', '\r\n')}\r\n`],
    ['a request with its body', `POST http://shop.example:80/hook HTTP/1.1\n${lines}\n\n{"not": "a header"}`],
    ['an answer', `HTTP/1.1 200 OK\n${lines}`],
    ['a JSON object', '{"webhook-id": "evt_1", "Webhook-Signature": "v1,a= v1,b="}'],
  ])('are parsed from %s', (_, text) => {
    expect(parseHeaders(text)).toEqual(pairs);
  });

  it('may be numbers and lists in JSON', () => {
    expect(parseHeaders('{"webhook-timestamp": 1614265330, "version": 1.10, "accept": ["a", "b"]}')).toEqual([
      ['webhook-timestamp', '1614265330'],
      ['version', '1.10'],
      ['accept', 'a'],
      ['accept', 'b'],
    ]);
  });

  it.each([
    ['nothing', ' \n', 'contains no headers'],
    ['an empty object', '{}', 'contains no headers'],
    ['a line without a colon', `${lines}\nwhat is this`, 'Line 3 of --headers is not a header'],
    ['a name with a space', 'webhook id: 1', 'Line 1 of --headers is not a header'],
    ['truncated JSON', '{"webhook-id":', 'is not a valid JSON object'],
    ['an object in an object', '{"headers": {"webhook-id": "evt_1"}}', 'has no text in "headers"'],
  ])('are not accepted: %s', (_, text, message) => {
    expect(() => parseHeaders(text)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }),
    );
  });
});

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
  ])('are read from %s', (_, text) => {
    expect(parseHeaders(text)).toEqual(pairs);
  });

  it('may have numbers and lists in JSON', () => {
    expect(parseHeaders('{"webhook-timestamp": 1614265330, "accept": ["a", "b"]}')).toEqual([
      ['webhook-timestamp', '1614265330'],
      ['accept', 'a'],
      ['accept', 'b'],
    ]);
  });

  it.each([
    ['nothing', ' \n', 'has no headers in it'],
    ['an empty object', '{}', 'has no headers in it'],
    ['a line that is none', `${lines}\nwhat is this`, 'has no header in line 3'],
    ['a name with a space', 'webhook id: 1', 'has no header in line 1'],
    ['JSON that is cut off', '{"webhook-id":', 'begins as a JSON object and is none'],
    ['an object in an object', '{"headers": {"webhook-id": "evt_1"}}', 'has no text in its member "headers"'],
  ])('are not in %s', (_, text, message) => {
    expect(() => parseHeaders(text)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.stringContaining(message) }),
    );
  });
});

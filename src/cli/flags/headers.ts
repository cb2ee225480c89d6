import { isFields } from '../../client/json-object.ts';
import { SalonError } from '../../contract/errors.ts';
import { isJsonNumber, tryParseJson } from '../../text/json.ts';

type Header = readonly [name: string, value: string];

/**
 * Parses headers copied from a log: lines such as `webhook-id: evt_1`, with or without the request line before and the
 * body after them, or a JSON object. Throws `usage` for anything else.
 */
export function parseHeaders(text: string, flag = '--headers'): readonly Header[] {
  const given = text.trim();
  const headers = given.startsWith('{') ? parseJsonHeaders(given, flag) : parseLines(given, flag);
  if (headers.length > 0) return headers;
  throw new SalonError('usage', `${flag} contains no headers.`);
}

function parseLines(text: string, flag: string): readonly Header[] {
  const lines = text.split(/\r?\n/);
  const end = lines.indexOf('');
  return lines.slice(0, end === -1 ? undefined : end).flatMap((line, index) => {
    if (index === 0 && /^(?:[A-Z]+ \S+|HTTP\/)[^:]*$/.test(line)) return [];
    const [, name, value] = /^([^\s:]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value] as const];
    throw new SalonError('usage', `Line ${index + 1} of ${flag} is not a header.`, {
      hint: 'Use lines such as "webhook-id: evt_01…", or a JSON object.',
    });
  });
}

function parseJsonHeaders(text: string, flag: string): readonly Header[] {
  const headers = tryParseJson(text);
  if (!isFields(headers)) throw new SalonError('usage', `${flag} is not a valid JSON object.`);
  return Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((part) => {
      if (typeof part === 'string' || isJsonNumber(part)) return [name, String(part)] as const;
      throw new SalonError('usage', `${flag} has no text in "${name}".`);
    }),
  );
}

/** Parses one header, such as `X-Gateway: secret`. Throws `usage` without quoting it, because its value may be a secret. */
export function parseHeader(text: string): Header {
  const [, name, value] = /^([^\s:]+):[ \t]*([\x20-\x7e]*?)[ \t]*$/.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new SalonError('usage', '--header needs "Name: value".', {
    hint: 'For example --header "X-Gateway-Token: abc".',
  });
}

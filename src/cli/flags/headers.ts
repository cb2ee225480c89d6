import { SalonError } from '../../contract/errors.ts';

type Header = readonly [name: string, value: string];

/**
 * Headers as a log or a program shows them: lines such as `webhook-id: evt_1`, with or without the line of the
 * request before them and the body behind them, or a JSON object. Throws `usage` for anything else.
 */
export function parseHeaders(text: string, flag = '--headers'): readonly Header[] {
  const given = text.trim();
  const headers = given.startsWith('{') ? parseJsonHeaders(given, flag) : parseLines(given, flag);
  if (headers.length > 0) return headers;
  throw new SalonError('usage', `${flag} has no headers in it.`);
}

function parseLines(text: string, flag: string): readonly Header[] {
  const lines = text.split(/\r?\n/);
  const end = lines.indexOf('');
  return lines.slice(0, end === -1 ? undefined : end).flatMap((line, index) => {
    if (index === 0 && /^(?:[A-Z]+ \S+|HTTP\/)[^:]*$/.test(line)) return [];
    const [, name, value] = /^([^\s:]+):\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) return [[name, value] as const];
    throw new SalonError('usage', `${flag} has no header in line ${index + 1}.`, {
      hint: 'A header is a line such as "webhook-id: evt_01…", or a member of a JSON object.',
    });
  });
}

function parseJsonHeaders(text: string, flag: string): readonly Header[] {
  return Object.entries(parseObject(text, flag)).flatMap(([name, value]) =>
    [value].flat().map((part) => {
      if (typeof part === 'string' || typeof part === 'number') return [name, String(part)] as const;
      throw new SalonError('usage', `${flag} has no text in its member "${name}".`);
    }),
  );
}

function parseObject(text: string, flag: string): object {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SalonError('usage', `${flag} begins as a JSON object and is none.`, { cause });
  }
}

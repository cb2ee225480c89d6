import { closest } from '../../contract/closest.ts';
import { SalonError } from '../../contract/errors.ts';

/** How data may be asked for. */
export const formats = ['table', 'json', 'ndjson', 'csv'] as const;

export type Format = (typeof formats)[number];

/** A format by its name. Throws `usage`, naming the flag. */
export function parseFormat(text: string, flag = '--format'): Format {
  const format = formats.find((name) => name === text);
  if (format !== undefined) return format;
  const near = closest(text, formats);
  throw new SalonError(
    'usage',
    `${flag} cannot be "${text}".${near === undefined ? '' : ` Did you mean ${near}?`}`,
    {
      hint: `Formats: ${formats.join(', ')}`,
    },
  );
}

/** A whole number, at least `least` (1 when not said). Throws `usage`, naming the flag. */
export function parseCount(
  text: string,
  flag: string,
  { least = 1 }: { readonly least?: number } = {},
): number {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least) return count;
  throw new SalonError('usage', `${flag} needs a whole number, ${least} or more, not "${text}".`);
}

/** Requests side by side, 1 to 64. Throws `usage`, naming the flag. */
export function parseConcurrency(text: string, flag = '--concurrency'): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= 64) return count;
  throw new SalonError('usage', `${flag} takes a whole number from 1 to 64, not "${text}".`, {
    hint: 'The default is 8.',
  });
}

/** `true` or `false`. Throws `usage`, naming the setting. */
export function parseTrueOrFalse(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new SalonError('usage', `${name} is true or false, not "${text}".`);
}

/** `name=value` of a repeatable flag; the value may hold further `=`. Throws `usage`, naming the flag. */
export function parseKeyValue(text: string, flag = '--param'): readonly [key: string, value: string] {
  const middle = text.indexOf('=');
  if (middle > 0) return [text.slice(0, middle), text.slice(middle + 1)];
  throw new SalonError('usage', `${flag} needs name=value, not "${text}".`);
}

/** The parts of `a,b,c`, without the space around them. Throws `usage`, naming the flag, when there are none or one is empty. */
export function parseList(text: string, flag: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.every((part) => part !== '')) return parts;
  throw new SalonError('usage', `${flag} needs values with commas between them, such as a,b, not "${text}".`);
}

/** A name, with something in it beside white space. Throws `usage`. */
export function parseName(text: string): string {
  if (text.trim() !== '') return text.trim();
  throw new SalonError('usage', '--name needs a name, not an empty one.');
}

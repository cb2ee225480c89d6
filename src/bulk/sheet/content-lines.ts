import { type Encoding, maxRowLength } from './sheet-form.ts';
import { readText } from './sheet-text.ts';

/** A property of a vCard or iCalendar file, unfolded: `item1.TEL;TYPE=CELL:+49 171 5550101`. */
export interface ContentLine {
  /** The line of the file it begins on, from 1. */
  readonly line: number;
  /** What properties of one thing have in common; empty without one. */
  readonly group: string;
  /** In capitals; empty if the line is no property. */
  readonly name: string;
  /** By name in capitals. Words without a name, as vCard 2.1 has them, are types. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** With its escapes, but without quoted-printable. */
  readonly value: string;
  /** Whether it is longer than a row may be, and has no value for that. */
  readonly isLong: boolean;
}

const property = /^(?:([\w-]+)\.)?([\w-]+)((?:;(?:"[^"]*"|[^":;])*)*):/;

/** What nobody reads here, and may be long: pictures, sounds, keys and attached files. */
const skipped = /^(?:[\w-]+\.)?(?:PHOTO|LOGO|SOUND|KEY|ATTACH|X-MS-CARDPICTURE|X-ALT-DESC)[;:]/i;

/** The properties of a file, with those of each chunk of it together. */
export async function* readContentLines(
  path: string,
  encoding: Encoding,
): AsyncGenerator<readonly ContentLine[], void> {
  const reader = createContentLines();
  for await (const chunk of readText(path, encoding)) yield reader.write(chunk);
  yield reader.end();
}

/**
 * Splits text into properties: folded lines, and the lines of a quoted-printable value, are one. Memory is bounded: of
 * properties that are skipped or longer than a row may be, only the beginning is kept.
 */
function createContentLines() {
  let rest = '';
  let line = 0;
  let current:
    | { line: number; parts: string[]; length: number; isSkipped: boolean; isQuoted: boolean }
    | undefined;
  /** In vCard 2.1 the blank that begins a folded line belongs to the value. */
  let keepsBlank = false;
  let found: ContentLine[] = [];
  return {
    write(chunk: string): readonly ContentLine[] {
      const lines = `${rest}${chunk}`.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const text of lines) takeLine(text);
      // A picture may be one line: its beginning says so, and its length that it is too long.
      if (rest.length > 2 * maxRowLength) rest = rest.slice(0, maxRowLength + 1);
      return takeFound();
    },
    end(): readonly ContentLine[] {
      takeLine(rest.replace(/\r$/, ''));
      flush();
      return takeFound();
    },
  };

  function takeFound(): readonly ContentLine[] {
    const all = found;
    found = [];
    return all;
  }

  function takeLine(text: string): void {
    line += 1;
    const isFolded = text.startsWith(' ') || text.startsWith('\t');
    const isSoft = endsSoftly();
    // Some programs do not indent the lines of a picture.
    const isPicture = current?.isSkipped && /^[A-Za-z0-9+/]+=*$/.test(text);
    if (current === undefined || !(isFolded || isSoft || isPicture)) {
      flush();
      if (text.trim() === '') return;
      current = { line, parts: [text], length: text.length, isSkipped: skipped.test(text), isQuoted: false };
    } else if (!current.isSkipped && current.length <= maxRowLength) {
      if (isSoft) current.parts.push(current.parts.pop()?.slice(0, -1) ?? '');
      const more = !isSoft && isFolded && !keepsBlank ? text.slice(1) : text;
      current.parts.push(more);
      current.length += more.length;
    }
  }

  /** Whether the current line goes on after a soft line break. */
  function endsSoftly(): boolean {
    if (current?.parts.at(-1)?.endsWith('=') !== true) return false;
    current.isQuoted ||= /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(current.parts.join(''));
    return current.isQuoted;
  }

  function flush(): void {
    if (current === undefined) return;
    const { line: start, parts, length, isSkipped } = current;
    current = undefined;
    const isLong = length > maxRowLength && !isSkipped;
    const text = parts.length === 1 ? (parts[0] ?? '') : parts.join('');
    const [head, group = '', name = '', parameterText = ''] = property.exec(text) ?? [];
    const parameters = parameterText === '' ? noParameters : parseParameters(parameterText);
    const value = isSkipped || isLong ? '' : decode(text.slice(head?.length ?? 0), parameters);
    if (/^version$/i.test(name)) keepsBlank = value.trim() === '2.1';
    found.push({ line: start, group, name: name.toUpperCase(), parameters, value, isLong });
  }
}

const noParameters: ContentLine['parameters'] = new Map();

function parseParameters(text: string): ContentLine['parameters'] {
  const parameters = new Map<string, string[]>();
  for (const [, given, list = ''] of text.matchAll(/;(?:([\w-]+)=)?((?:"[^"]*"|[^";])*)/g)) {
    const isEncoding = given === undefined && /^(?:quoted-printable|base64|8bit)$/i.test(list);
    const name = given?.toUpperCase() ?? (isEncoding ? 'ENCODING' : 'TYPE');
    const values = list.replaceAll('"', '').split(',');
    parameters.set(name, [...(parameters.get(name) ?? []), ...values]);
  }
  return parameters;
}

/** Quoted-printable has the bytes of a charset, which some programs do not name. */
function decode(value: string, parameters: ContentLine['parameters']): string {
  if (parameters.get('ENCODING')?.[0]?.toUpperCase() !== 'QUOTED-PRINTABLE') return value;
  const signs = Buffer.from(value)
    .toString('latin1')
    .replace(/=([\dA-F]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  // In vCard 2.1, a backslash is one unless it escapes a separator.
  return decodeBytes(Buffer.from(signs, 'latin1'), parameters).replace(/\\(?![;,:])/g, '\\\\');
}

function decodeBytes(bytes: Buffer, parameters: ContentLine['parameters']): string {
  try {
    return new TextDecoder(parameters.get('CHARSET')?.[0] ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The parts of a value between separators that have no escape, without escapes. */
export function splitValue(value: string, separator: ';' | ','): readonly string[] {
  if (!value.includes('\\')) return value.split(separator).map(toPlainText);
  const parts = [''];
  for (const [token] of value.matchAll(/\\.|[^\\;,]+|[;,\\]/gs)) {
    if (token === separator) parts.push('');
    else parts.push(`${parts.pop()}${token}`);
  }
  return parts.map(toPlainText);
}

export function toPlainText(value: string): string {
  if (!value.includes('\\') && !value.includes('\r')) return value.trim();
  return value
    .replace(/\\(.)/gs, (_, sign) => (/n/i.test(sign) ? '\n' : sign))
    .replace(/\r\n?/g, '\n')
    .trim();
}

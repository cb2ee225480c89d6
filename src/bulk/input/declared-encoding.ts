import { SalonError } from '../../contract/errors.ts';
import { type Encoding, encodings } from '../sheet/sheet-form.ts';
import { readText } from '../sheet/sheet-text.ts';
import { detectEncoding, type TextEncoding } from './detect-text.ts';

/**
 * The encoding of an HTML or XML file: by its byte order mark, then as it says itself. Throws `usage` if it says two, or one
 * that it does not have. `start` has the first bytes.
 */
export async function detectDeclaredEncoding(
  path: string,
  name: string,
  { start, given }: { readonly start: Buffer; readonly given: Encoding | undefined },
): Promise<TextEncoding> {
  const found = await detectEncoding(path, name, { start, given });
  if (given !== undefined || found.hasByteOrderMark || found.encoding.startsWith('utf-16')) return found;
  const text = start.toString('latin1');
  const labels = [/<\?xml[^>]*\bencoding=["']([\w-]+)/i, /<meta[^>]*\bcharset=["']?\s*([\w-]+)/i].flatMap(
    (pattern) => pattern.exec(text)?.[1] ?? [],
  );
  const declared = [...new Set(labels.map(toEncoding))];
  const [one = found.encoding] = declared;
  const isKnown = encodings.some((encoding) => encoding === one);
  if (declared.length <= 1 && one === found.encoding) return found;
  if (declared.length === 1 && isKnown && ![one, found.encoding].includes('utf-8'))
    return { encoding: one as Encoding, hasByteOrderMark: false };
  if (found.encoding === 'utf-8' && (await isAscii(path))) return found;
  const which = labels.length > 1 ? labels.join(' and ') : `${labels[0]}, which it is not`;
  throw new SalonError('usage', `${name} says that its encoding is ${which}.`, {
    hint: `Say which it is, and check the names that are shown: --encoding ${found.encoding}`,
  });
}

/** The name of an encoding as decoders call it. */
function toEncoding(label: string): string {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return label;
  }
}

async function isAscii(path: string): Promise<boolean> {
  for await (const text of readText(path, 'utf-8')) if (/[^\0-\x7f]/.test(text)) return false;
  return true;
}

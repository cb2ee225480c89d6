import { createReadStream } from 'node:fs';
import type { Encoding } from './sheet-form.ts';

/** Reads a file's text in chunks, without its byte order mark. */
export async function* readText(path: string, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding);
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 131_072 });
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Encodes a text. Characters that Windows-1252 does not have become `?`. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  return Buffer.from(Array.from(text, (character) => windowsBytes.get(character) ?? questionMark));
}

const questionMark = 0x3f;

const windowsBytes: ReadonlyMap<string, number> = new Map(
  Array.from(new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))).map(
    (character, byte) => [character, byte],
  ),
);

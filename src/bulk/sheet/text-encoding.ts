import { createReadStream } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import type { Encoding } from './sheet-form.ts';

export const byteOrderMarks: Readonly<Record<Encoding, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
  'windows-1252': [],
};

export interface TextForm {
  readonly encoding: Encoding;
  readonly hasByteOrderMark: boolean;
}

/** The text of a file, piece by piece, without its byte order mark. */
export async function* readText(path: string, { encoding, hasByteOrderMark }: TextForm) {
  const decoder = createDecoder(encoding);
  const start = hasByteOrderMark ? byteOrderMarks[encoding].length : 0;
  const pieces: AsyncIterable<Buffer> = createReadStream(path, { start, highWaterMark: 131_072 });
  for await (const piece of pieces) {
    const text = decoder.write(piece);
    if (text !== '') yield text;
  }
  const rest = decoder.end();
  if (rest !== '') yield rest;
}

interface Decoder {
  write(piece: Buffer): string;
  end(): string;
}

function createDecoder(encoding: Encoding): Decoder {
  if (encoding === 'utf-8') return new StringDecoder('utf8');
  if (encoding === 'utf-16le') return new StringDecoder('utf16le');
  if (encoding === 'utf-16be') return createBigEndianDecoder();
  const decoder = new TextDecoder('windows-1252');
  return { write: (piece) => decoder.decode(piece, { stream: true }), end: () => decoder.decode() };
}

/** Half a character at the end of a piece waits for the next one. */
function createBigEndianDecoder(): Decoder {
  const decoder = new StringDecoder('utf16le');
  let half = Buffer.alloc(0);
  return {
    write(piece) {
      const bytes = Buffer.concat([half, piece]);
      const even = bytes.length - (bytes.length % 2);
      half = bytes.subarray(even);
      return decoder.write(bytes.subarray(0, even).swap16());
    },
    end: () => decoder.end(),
  };
}

/** A text in the bytes of an encoding. What Windows-1252 has no byte for becomes `?`. */
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

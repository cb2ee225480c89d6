import type { Encoding } from './sheet-form.ts';

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

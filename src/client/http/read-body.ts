import { SalonError } from '../../contract/errors.ts';

/** The content encodings that can be undone, as `Accept-Encoding` lists them. */
export const acceptedEncodings = 'gzip, deflate, br';

export interface BodyForm {
  readonly encoding: string | undefined;
  /** Most bytes a body may have once its encoding is undone. */
  readonly maxBytes: number;
}

/** Puts the pieces of a body together. */
export interface Collector {
  /** Throws `response_too_large` as soon as the limit is passed. */
  add(piece: Uint8Array): void;
  bytes(): Uint8Array;
}

export function createCollector(maxBytes: number): Collector {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return {
    add(piece) {
      size += piece.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      pieces.push(piece);
    },
    bytes: () => (pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces, size)),
  };
}

/**
 * Undoes the content encoding of a body.
 * Throws `response_too_large` as soon as the limit is passed, and `unexpected_response` for an encoding nobody asked for.
 */
export async function unpack(
  bytes: Uint8Array,
  { encoding = 'identity', maxBytes }: BodyForm,
): Promise<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return bytes;
  const unpacking = await chooseUnpacking(name);
  return new Promise((resolve, reject) => {
    unpacking(bytes, { maxOutputLength: maxBytes }, (error, unpacked) => {
      if (error === null) resolve(unpacked);
      else reject('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : error);
    });
  });
}

type Unpacking = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, unpacked: Uint8Array) => void,
) => void;

async function chooseUnpacking(name: string): Promise<Unpacking> {
  const { brotliDecompress, gunzip, inflate } = await import('node:zlib');
  if (name === 'gzip' || name === 'x-gzip') return gunzip;
  if (name === 'deflate') return inflate;
  if (name === 'br') return brotliDecompress;
  throw new SalonError(
    'unexpected_response',
    'The server packed its answer in a way that was not asked for.',
    {
      hint: `It may use one of ${acceptedEncodings}.`,
    },
  );
}

function tooLarge(maxBytes: number): SalonError {
  const mebibytes = Math.round((maxBytes / 1_048_576) * 10) / 10;
  return new SalonError('response_too_large', `The answer is larger than ${mebibytes} MiB.`, {
    hint: 'Ask for fewer records a page, or raise the limit.',
  });
}

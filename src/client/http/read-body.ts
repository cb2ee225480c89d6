import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { SalonError } from '../../contract/errors.ts';

/** The content encodings that can be decompressed, as `Accept-Encoding` lists them. */
export const acceptedEncodings = 'gzip, deflate, br';
export interface BodyCollector {
  /** Throws `response_too_large` as soon as the limit is passed. */
  add(chunk: Uint8Array): void;
  bytes(): Uint8Array;
}

export function createBodyCollector(maxBytes: number): BodyCollector {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    add(chunk) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    },
    bytes: () => (chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks, size)),
  };
}

export interface DecompressOptions {
  readonly encoding: string | undefined;
  readonly maxBytes: number;
}

/** Throws `response_too_large` as soon as the limit is passed, and `unexpected_response` for an unknown encoding. */
export async function decompress(
  bytes: Uint8Array,
  { encoding = 'identity', maxBytes }: DecompressOptions,
): Promise<Uint8Array> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return bytes;
  const decompressor = await loadDecompressor(name);
  return new Promise((resolve, reject) => {
    decompressor(bytes, { maxOutputLength: maxBytes }, (error, decompressed) => {
      if (error === null) resolve(decompressed);
      else reject('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(maxBytes) : error);
    });
  });
}

/** Decompresses a body while it arrives; undefined if it is not compressed. Throws as `decompress` does. */
export function createDecompressor(encoding = 'identity'): ((body: Readable) => Readable) | undefined {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return undefined;
  const create = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    deflate: createInflate,
    br: createBrotliDecompress,
  };
  const [, open] = Object.entries(create).find(([known]) => known === name) ?? [];
  if (open === undefined) throw unknownEncoding();
  // An error of either ends both, and is thrown where the output is read.
  return (body) => pipeline(body, open(), () => {});
}

type Decompressor = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, decompressed: Uint8Array) => void,
) => void;

async function loadDecompressor(name: string): Promise<Decompressor> {
  const { brotliDecompress, gunzip, inflate } = await import('node:zlib');
  if (name === 'gzip' || name === 'x-gzip') return gunzip;
  if (name === 'deflate') return inflate;
  if (name === 'br') return brotliDecompress;
  throw unknownEncoding();
}

function unknownEncoding(): SalonError {
  return new SalonError('unexpected_response', 'The response has an unsupported content encoding.', {
    hint: `The server may use one of ${acceptedEncodings}.`,
  });
}

function tooLarge(maxBytes: number): SalonError {
  const mebibytes = Math.round((maxBytes / 1_048_576) * 10) / 10;
  return new SalonError('response_too_large', `The response is larger than ${mebibytes} MiB.`, {
    hint: 'Request fewer records per page, or raise the limit.',
  });
}

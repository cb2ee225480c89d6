import { pipeline, type Readable, type Transform } from 'node:stream';
import { SalonError } from '../contract/errors.ts';

/** The content encodings that can be undone, as `Accept-Encoding` lists them. */
export const acceptedEncodings = 'gzip, deflate, br';

export interface BodyForm {
  readonly encoding: string | undefined;
  /** Most bytes a body may have once its encoding is undone. */
  readonly maxBytes: number;
}

/**
 * Reads a body to its end and undoes its content encoding.
 * Throws `answer_too_large` as soon as the limit is passed, and `unexpected_answer` for an encoding nobody asked for.
 */
export async function readBody(body: Readable, form: BodyForm): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await undoEncoding(body, form.encoding)) {
    size += chunk.length;
    // Leaving the loop destroys the streams, and with them the socket: nothing more is read or unpacked.
    if (size > form.maxBytes) throw tooLarge(form.maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function undoEncoding(body: Readable, encoding = 'identity'): Promise<Readable> {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return body;
  const decoder = await createDecoder(name);
  return pipeline(body, decoder, () => {});
}

async function createDecoder(name: string): Promise<Transform> {
  const { createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  if (name === 'gzip' || name === 'x-gzip') return createGunzip();
  if (name === 'deflate') return createInflate();
  if (name === 'br') return createBrotliDecompress();
  throw new SalonError('unexpected_answer', 'The server packed its answer in a way that was not asked for.', {
    hint: `It may use one of ${acceptedEncodings}.`,
  });
}

function tooLarge(maxBytes: number): SalonError {
  const mebibytes = Math.round((maxBytes / 1_048_576) * 10) / 10;
  return new SalonError('answer_too_large', `The answer is larger than ${mebibytes} MiB.`, {
    hint: 'Ask for fewer records a page, or raise the limit.',
  });
}

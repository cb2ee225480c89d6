import { openScratchFile, type ScratchFile } from '../../client/walk/scratch-file.ts';
import { toFileFailure } from '../jobs/file-failure.ts';

/** Into how many parts lines are spread: of a million rows each holds two thousand. */
export const partitionCount = 512;

/**
 * Lines spread over partitions. Each partition keeps its own in their order, the last few kilobytes of them in
 * memory and the rest in one temporary file.
 */
export interface PartitionedLines extends Disposable {
  /** The line has no break in it. Throws `output_failed`. */
  add(partition: number, line: string): void;
  read(partition: number): Generator<string, void>;
}

/** Characters of a partition that are put aside together. */
const chunkLength = 8_192;

interface Chunk {
  readonly position: number;
  readonly length: number;
}

export function openPartitionedLines(folder: string): PartitionedLines {
  const newest = Array.from({ length: partitionCount }, () => '');
  const chunks = Array.from({ length: partitionCount }, (): Chunk[] => []);
  let file: ScratchFile | undefined;
  let end = 0;
  return {
    add(partition, line) {
      const text = `${newest[partition]}${line}\n`;
      newest[partition] = text.length < chunkLength ? text : '';
      if (text.length >= chunkLength) putAside(partition, Buffer.from(text));
    },
    *read(partition) {
      for (const chunk of chunks[partition] ?? []) yield* toLines(readChunk(chunk));
      yield* toLines(newest[partition] ?? '');
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  };

  function putAside(partition: number, bytes: Buffer): void {
    try {
      file ??= openScratchFile(folder);
      file.write(bytes, end);
    } catch (error) {
      throw toFileFailure(folder, error);
    }
    chunks[partition]?.push({ position: end, length: bytes.length });
    end += bytes.length;
  }

  function readChunk({ position, length }: Chunk): string {
    const bytes = Buffer.allocUnsafe(length);
    file?.read(bytes, position);
    return bytes.toString();
  }
}

function toLines(text: string): string[] {
  return text.split('\n').slice(0, -1);
}

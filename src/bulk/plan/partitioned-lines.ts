import { openScratchFile, type ScratchFile } from '../../client/pagination/scratch-file.ts';
import { toFileFailure } from '../jobs/file-access.ts';

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

/** Bytes of a partition that are put aside together. */
const chunkBytes = 8_192;

interface Chunk {
  readonly position: number;
  readonly length: number;
}

export function openPartitionedLines(folder: string): PartitionedLines {
  // Strings that wait for their chunk to fill would outlive many collections of garbage, and so pile up.
  const newest = Buffer.alloc(partitionCount * chunkBytes);
  const used = new Uint16Array(partitionCount);
  const chunks = Array.from({ length: partitionCount }, (): Chunk[] => []);
  let file: ScratchFile | undefined;
  let end = 0;
  return {
    add(partition, line) {
      const text = `${line}\n`;
      const length = Buffer.byteLength(text);
      if (length > chunkBytes - usedIn(partition)) putAside(partition, newestOf(partition));
      if (length > chunkBytes) putAside(partition, Buffer.from(text));
      else
        used[partition] = usedIn(partition) + newest.write(text, partition * chunkBytes + usedIn(partition));
    },
    *read(partition) {
      const bytes = Buffer.allocUnsafe(chunkBytes);
      for (const chunk of chunks[partition] ?? []) yield* toLines(readChunk(chunk, bytes));
      yield* toLines(newestOf(partition));
    },
    [Symbol.dispose]: () => file?.[Symbol.dispose](),
  };

  function usedIn(partition: number): number {
    return used[partition] ?? 0;
  }

  function newestOf(partition: number): Buffer {
    const start = partition * chunkBytes;
    return newest.subarray(start, start + usedIn(partition));
  }

  function putAside(partition: number, bytes: Buffer): void {
    try {
      file ??= openScratchFile(folder);
      file.write(bytes, end);
    } catch (error) {
      throw toFileFailure(folder, error);
    }
    chunks[partition]?.push({ position: end, length: bytes.length });
    end += bytes.length;
    used[partition] = 0;
  }

  function readChunk({ position, length }: Chunk, room: Buffer): Buffer {
    const bytes = length > room.length ? Buffer.allocUnsafe(length) : room.subarray(0, length);
    file?.read(bytes, position);
    return bytes;
  }
}

/** One at a time: where many partitions are read side by side, lines that wait pile up as garbage too. */
function* toLines(bytes: Buffer): Generator<string, void> {
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf('\n', start);
    yield bytes.toString('utf8', start, end);
    start = end + 1;
  }
}

/**
 * Merges what lies in partitions into the order of its rows. In each partition rows ascend, and each row is in one
 * of them: the next is at the front of some partition, where a map finds it.
 */
export function* mergeInRowOrder<Row extends { readonly row: number }>(
  lines: PartitionedLines,
): Generator<Row, void> {
  const fronts = new Map<number, { readonly front: Row; readonly rest: Generator<string, void> }>();
  for (let partition = 0; partition < partitionCount; partition += 1) advance(lines.read(partition));
  for (let row = 0; fronts.size > 0; row += 1) {
    const next = fronts.get(row);
    if (next === undefined) continue;
    fronts.delete(row);
    advance(next.rest);
    yield next.front;
  }

  function advance(rest: Generator<string, void>): void {
    const next = rest.next();
    if (next.done) return;
    const front: Row = JSON.parse(next.value);
    fronts.set(front.row, { front, rest });
  }
}

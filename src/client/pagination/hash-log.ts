import { openScratchFile } from './scratch-file.ts';

/** 64-bit hashes in the order they came; what does not fit into 1 MiB of memory lies in a temporary file. */
export interface HashLog extends Disposable {
  /** Takes a hash as its lower and its upper half. */
  add(low: number, high: number): void;
  /** Shows every hash, the newest first, until there were enough. */
  scan(visit: (low: number, high: number) => 'more' | 'enough'): void;
}

/** Numbers in memory, two a hash. */
const mostInMemory = 262_144;
const firstInMemory = 2_048;

/** The file is made in a folder of its own, readable by its owner alone, and only when it is needed. */
export function openHashLog(folder: string): HashLog {
  let newest = new Uint32Array(firstInMemory);
  let used = 0;
  let spilled = 0;
  let file: ReturnType<typeof openSpill> | undefined;
  return {
    add(low, high) {
      if (used === newest.length) makeRoom();
      newest[used] = low;
      newest[used + 1] = high;
      used += 2;
    },
    scan(visit) {
      if (showBackwards(newest.subarray(0, used), visit) === 'enough') return;
      const block = new Uint32Array(spilled === 0 ? 0 : mostInMemory);
      for (let index = spilled - 1; index >= 0 && file !== undefined; index -= 1) {
        file.read(block, index);
        if (showBackwards(block, visit) === 'enough') return;
      }
    },
    [Symbol.dispose]: () => file?.remove(),
  };

  function makeRoom(): void {
    if (newest.length < mostInMemory) {
      const larger = new Uint32Array(Math.min(newest.length * 4, mostInMemory));
      larger.set(newest);
      newest = larger;
      return;
    }
    file ??= openSpill(folder);
    file.write(newest, spilled);
    spilled += 1;
    used = 0;
  }
}

function showBackwards(block: Uint32Array, visit: Parameters<HashLog['scan']>[0]): 'more' | 'enough' {
  for (let index = block.length - 2; index >= 0; index -= 2) {
    if (visit(block[index] ?? 0, block[index + 1] ?? 0) === 'enough') return 'enough';
  }
  return 'more';
}

function openSpill(folder: string) {
  const file = openScratchFile(folder);
  return {
    write: (block: Uint32Array, index: number) => file.write(block, index * block.byteLength),
    read: (block: Uint32Array, index: number) => file.read(block, index * block.byteLength),
    remove: () => file[Symbol.dispose](),
  };
}

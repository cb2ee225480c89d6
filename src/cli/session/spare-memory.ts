import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * undici reads the heads of answers with a little WebAssembly. V8 would soon compile it a second time, for speed: 20 MiB
 * and a fifth of the work of a command that reads one page, with nothing to gain where bodies do not pass through it.
 */
const compileOnce = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];

/** V8 lets what it keeps grow to several times its size before it looks what of that is dead. */
const growSlowly = '--heap-growing-percent=20';

/** Little of a list survives a look at what is young: several threads for it take longer to agree than one to do it. */
const lookAlone = '--no-parallel-scavenge';

/** V8 doubles the space for what is young up to 64 MiB; that of a list is dead within a few pages. */
const keepYoungSpace = '--semi-space-growth-factor=1';
const youngBytesEnough = 8 * 1_048_576;
const lookEveryMs = 10;

/** Keeps V8 from spending memory that reading lists gains nothing by, in the whole process and from now on. */
export function spareMemory(): Disposable {
  for (const flag of [...compileOnce, growSlowly, lookAlone]) setFlagsFromString(flag);
  const looking = setInterval(() => {
    if (youngBytes() < youngBytesEnough) return;
    setFlagsFromString(keepYoungSpace);
    clearInterval(looking);
  }, lookEveryMs).unref();
  return { [Symbol.dispose]: () => clearInterval(looking) };
}

function youngBytes(): number {
  return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
}

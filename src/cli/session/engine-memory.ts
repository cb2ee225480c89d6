import { setFlagsFromString } from 'node:v8';

/** V8 would optimize undici's HTTP parser in the background, for 80 ms of CPU time and 22 MiB: more than a command saves. */
export function leaveParserUnoptimized(): void {
  setFlagsFromString('--wasm-tiering-budget=2000000000');
}

/**
 * The space for new objects would grow to 32 MiB during a long list, which makes it no faster. It would also take up
 * 10 MiB more whenever old objects are looked through, because new ones are not collected meanwhile.
 */
export function keepNewSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--no-separate-gc-phases');
}

let isOptimizing = true;

/** V8's optimizing compilers take up 8 MiB. A list whose lines are only copied is no faster with them. */
export function optimizeCode(isWanted: boolean): void {
  if (isWanted === isOptimizing) return;
  isOptimizing = isWanted;
  setFlagsFromString(isWanted ? '--opt' : '--no-opt');
  setFlagsFromString(isWanted ? '--maglev' : '--no-maglev');
}

import { setFlagsFromString } from 'node:v8';

/** V8 would optimize undici's HTTP parser in the background, for 80 ms of CPU time and 22 MiB: more than a command saves. */
export function leaveParserUnoptimized(): void {
  setFlagsFromString('--wasm-tiering-budget=2000000000');
}

/** The space for new objects would grow to 32 MiB during a long list, which makes it no faster. */
export function keepNewSpaceSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

import { resolve } from 'node:path';
import { SalonError } from '../contract/errors.ts';
import type { GlobalFlags, PrintFlags } from './flags/options.ts';
import type { Io } from './io.ts';
import type { RequestWatching } from './messages/messages.ts';
import { noMask, personalMask } from './messages/request-trace.ts';

/** Opens what --trace writes. Throws `usage` and `output_failed`. */
export async function openRequestWatching(
  { mask: isMasked = true, trace, output }: GlobalFlags & PrintFlags,
  { io, resources }: { readonly io: Io; readonly resources: AsyncDisposableStack },
): Promise<RequestWatching> {
  const mask = isMasked ? personalMask : noMask;
  if (trace === undefined) return { mask, watchers: [] };
  if (output !== undefined && resolve(io.cwd, output) === resolve(io.cwd, trace)) {
    throw new SalonError('usage', '--trace and --output need different files.');
  }
  const [{ assertOutputPath }, { openHarFile }] = await Promise.all([
    import('./output/output-file.ts'),
    import('./output/har-file.ts'),
  ]);
  await assertOutputPath(trace, io.cwd, '--trace');
  const file = resources.use(await openHarFile(trace, { mask, isMasked }, io));
  return { mask, watchers: [file.record] };
}

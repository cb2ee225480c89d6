import type { KeptRows } from '../../bulk/export/export-writer.ts';
import { type SalonError, withContext } from '../../contract/errors.ts';
import { renderCount } from '../../contract/numbers.ts';
import { toShownPath } from '../output/output-file.ts';
import type { CommandContext } from '../session/command-context.ts';

export interface KeptExport extends KeptRows {
  /** Whether another machine can resume it. */
  readonly isPortable: boolean;
  readonly rows: number;
  readonly noun: string;
  readonly context: CommandContext;
}

/** Adds to an error where the rows are and how to continue. */
export function withKeptRows(
  error: SalonError,
  { path, jobId, isPortable, rows, noun, context }: KeptExport,
): SalonError {
  const file = path === undefined ? undefined : toShownPath(path, context.io.cwd);
  const baseUrl = context.flags.baseUrl === undefined ? '' : ` --base-url ${context.flags.baseUrl}`;
  const hints = [
    file === undefined ? undefined : `${renderCount(rows)} ${noun} are in ${file}.`,
    jobId === undefined ? error.hint : `Resume with: salon jobs resume ${jobId}${baseUrl}`,
    isPortable ? `On another machine: salon jobs resume ${file}${baseUrl}` : undefined,
  ];
  return withContext(error, {
    hint: hints.filter((hint) => hint !== undefined).join('\n  '),
    members: {
      ...error.members,
      rows_kept: rows,
      ...(file === undefined ? {} : { partial_file: file }),
      ...(jobId === undefined ? {} : { job: jobId }),
    },
  });
}

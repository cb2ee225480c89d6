import { systemCodeOf } from '../bulk/jobs/file-access.ts';
import { SalonError } from '../contract/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
};

/** Says that a file cannot be read, and why in words; `name` is what a person called it, such as `--data @new.json`. */
export function unreadableFile(
  name: string,
  cause: unknown,
  hint = 'Check the path; it is taken from the folder you are in.',
): SalonError {
  const reason =
    reasons[systemCodeOf(cause) ?? ''] ?? (cause instanceof Error ? cause.message : String(cause));
  return new SalonError('usage', `${name} cannot be read: ${reason}.`, { hint, cause });
}

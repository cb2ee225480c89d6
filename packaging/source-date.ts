import { execFileSync } from 'node:child_process';

/** The date of a release: that of its source, so that building it again gives the same files. */
export function readSourceDate(env: Readonly<Record<string, string | undefined>>): Date {
  const seconds =
    env['SOURCE_DATE_EPOCH'] ?? execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
  return new Date(Number(seconds) * 1000);
}

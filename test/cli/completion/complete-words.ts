import { expect } from 'vitest';
import type { Machine } from '../../support/io.ts';

/** The lines that `salon __complete` prints for words; the last word is the one being typed. */
export async function completeWords(
  machine: Machine,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { stdout, ...rest } = await machine.salon(['__complete', ...words], { env });
  expect(rest).toEqual({ exitCode: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

/** The words it offers, without descriptions and directives. */
export function toWords(lines: readonly string[]): string[] {
  return lines.filter((line) => !line.startsWith(':')).map((line) => line.replace(/\t.*/, ''));
}

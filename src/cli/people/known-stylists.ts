import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Io } from '../io.ts';
import { dataFolder } from '../session/folders.ts';

/** A stylist as completion offers them. */
export interface KnownStylist {
  readonly id: string;
  readonly name: string;
}

type Place = Pick<Io, 'env' | 'homeFolder' | 'platform' | 'cwd'>;

const mostKept = 500;

/** The stylists of a salon that an earlier command has shown. */
export function readKnownStylists(place: Place, baseUrl: string): readonly KnownStylist[] {
  const known = readAll(place)[baseUrl];
  return Array.isArray(known) ? known : [];
}

/** Remembers the stylists of a salon for completion. A file that cannot be written is no reason to fail. */
export function rememberStylists(place: Place, baseUrl: string, stylists: readonly KnownStylist[]): void {
  const path = filePath(place);
  const kept = stylists.slice(0, mostKept).map(({ id, name }) => ({ id, name }));
  const text = `${JSON.stringify({ ...readAll(place), [baseUrl]: kept })}\n`;
  try {
    mkdirSync(dataFolder(place), { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // Completion then offers what it knew before.
  }
}

function readAll(place: Place): Record<string, unknown> {
  try {
    return { ...JSON.parse(readFileSync(filePath(place), 'utf8')) };
  } catch {
    return {};
  }
}

function filePath(place: Place): string {
  return join(dataFolder(place), 'stylists.json');
}

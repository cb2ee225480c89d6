import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFolder } from '../../local-state/local-state.ts';
import { parseJson } from '../../text/json.ts';
import { dataFolder, type FolderSources } from '../folders.ts';
import type { NamedStylist } from './names.ts';

export type KnownStylist = Pick<NamedStylist, 'id' | 'name'>;

const maxStylists = 500;

/** The stylists of a salon that an earlier command has listed; used for completion. */
export function readKnownStylists(folder: FolderSources, baseUrl: string): readonly KnownStylist[] {
  const known = readAll(folder)[baseUrl];
  return Array.isArray(known) ? known : [];
}

/** Saves the stylists of a salon for completion, if the file can be written. */
export function rememberStylists(folder: FolderSources, baseUrl: string, stylists: readonly KnownStylist[]) {
  const kept = stylists.slice(0, maxStylists).map(({ id, name }) => ({ id, name }));
  const text = `${JSON.stringify({ ...readAll(folder), [baseUrl]: kept })}\n`;
  try {
    const path = filePath(folder);
    createPrivateFolder(dataFolder(folder));
    writeFileSync(`${path}.new`, text, { mode: 0o600 });
    renameSync(`${path}.new`, path);
  } catch {
    // Completion then offers what was saved before.
  }
}

function readAll(folder: FolderSources): Record<string, unknown> {
  return { ...readJsonFile<object>(filePath(folder)) };
}

/** A JSON file; undefined where there is none that can be read. */
export function readJsonFile<Value>(path: string): Value | undefined {
  try {
    return parseJson(readFileSync(path, 'utf8')) as Value;
  } catch {
    return undefined;
  }
}

function filePath(folder: FolderSources): string {
  return join(dataFolder(folder), 'stylists.json');
}

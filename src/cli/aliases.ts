import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../bulk/jobs/file-access.ts';
import { SalonError } from '../contract/errors.ts';
import { parseJson } from '../text/json.ts';
import { configFolder, type FolderSources } from './folders.ts';

/** Command lines by alias. */
export type Aliases = Readonly<Record<string, string>>;

/** The aliases of this machine's user. Throws `usage` if their file cannot be read. */
export function readAliases(io: FolderSources): Aliases {
  const path = findAliasFile(io);
  if (path === undefined || !existsSync(path)) return {};
  try {
    const { aliases } = parseJson(readFileSync(path, 'utf8')) as { readonly aliases?: unknown };
    const entries = Object.entries(Object(aliases)).filter(([, line]) => typeof line === 'string');
    return Object.fromEntries(entries) as Aliases;
  } catch (cause) {
    throw new SalonError('usage', `Cannot read the aliases in ${path}.`, {
      hint: 'Repair the file, or delete it to start without aliases.',
      cause,
    });
  }
}

/** Changes the aliases as they are saved now, one process at a time. If `act` throws, nothing is changed. */
export async function changeAliases(io: FolderSources, act: (aliases: Aliases) => Aliases): Promise<void> {
  const { openLocalState } = await import('../local-state/local-state.ts');
  const folder = configFolder(io);
  using state = await openLocalState(folder);
  state.exclusively(() => {
    const aliases = act(readAliases(io));
    replaceFile(join(folder, 'aliases.json'), JSON.stringify({ aliases }, undefined, '\t'));
  });
}

/**
 * The command line of an alias, in words. `$1` to `$9` are replaced by the arguments; the others follow. Throws `usage`
 * if an argument is missing.
 */
export function expandAlias(name: string, line: string, args: readonly string[]): readonly string[] {
  const words = splitWords(line) ?? [];
  const numbers = words.flatMap((word) =>
    [...word.matchAll(placeholder)].map(([, number]) => Number(number)),
  );
  const needed = Math.max(0, ...numbers);
  if (args.length < needed) {
    const what = needed === 1 ? 'an argument' : `${needed} arguments`;
    throw new SalonError('usage', `Alias "${name}" needs ${what}.`, {
      hint: `It stands for: salon ${line}`,
    });
  }
  const filled = words.map((word) =>
    word.replace(placeholder, (_, number) => args[Number(number) - 1] ?? ''),
  );
  return [...filled, ...args.slice(needed)];
}

const placeholder = /\$([1-9])/g;

/** Undefined without a home folder. */
function findAliasFile(io: FolderSources): string | undefined {
  try {
    return join(configFolder(io), 'aliases.json');
  } catch {
    return undefined;
  }
}

/** The words of a command line, with quotes and backslashes as a shell reads them; undefined if a quote is left open. */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    const next = line.charAt(index + 1);
    const isEscape =
      character === '\\' && (quote === '' ? next !== '' : quote === '"' && '"\\$'.includes(next));
    if (isEscape && next !== '') {
      word = (word ?? '') + next;
      index++;
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (quote === '' ? character === '"' || character === "'" : character === quote) {
      quote = quote === '' ? character : '';
      word ??= '';
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}

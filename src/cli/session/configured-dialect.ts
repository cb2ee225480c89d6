import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import type { Dialect } from '../../client/dialect/dialect.ts';
import { parseDialect } from '../../client/dialect/parse-dialect.ts';
import { presetNames } from '../../client/dialect/presets.ts';
import { SalonError } from '../../contract/errors.ts';
import type { Io } from '../io.ts';
import { parseSavedDialect, type SavedDialect, setDialectPart, toPart } from './dialect-settings.ts';
import type { Setting, Source } from './settings.ts';

/** The configured part of a server's dialect, and the source of each member. */
export interface ConfiguredDialect {
  /** The ready-made dialect that it builds on. */
  readonly name: Setting<string> | undefined;
  readonly members: Partial<Dialect>;
  readonly sources: Readonly<Partial<Record<keyof Dialect, Source>>>;
}

const variable = 'SALON_DIALECT';

/** Joins the dialects of the environment and a profile, member by member. Throws `usage` for an invalid one. */
export async function readConfiguredDialect(
  io: Pick<Io, 'env' | 'cwd'>,
  saved: SavedDialect | undefined,
): Promise<ConfiguredDialect> {
  const given = await readEnvironmentDialect(io);
  const profile = parseSavedDialect(saved ?? {});
  const environment = parseSavedDialect(given);
  return {
    name: toName(given, 'environment') ?? toName(saved ?? {}, 'profile'),
    members: { ...profile, ...environment },
    sources: { ...toSources(profile, 'profile'), ...toSources(environment, 'environment') },
  };
}

/** Reads a dialect given as the name of a ready-made one or as a JSON file. `default` is the contract. Throws `usage`. */
export async function readDialect(text: string, { cwd }: Pick<Io, 'cwd'>): Promise<SavedDialect> {
  if (text === 'default') return {};
  if (presetNames.some((name) => name === text)) return { extends: text };
  const json = await readFile(resolve(cwd, text), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' && !/[./\\]/.test(text)) throw unknownDialect(text);
    throw createUnreadableError(`the dialect ${text}`, cause);
  });
  const value = parseJson(json, text);
  parseDialect(value);
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => [toPart(key) ?? key, member]),
  );
}

/** Reads SALON_DIALECT and SALON_DIALECT_<SETTING>. Throws `usage`, naming the variable. */
export async function readEnvironmentDialect(io: Pick<Io, 'env' | 'cwd'>): Promise<SavedDialect> {
  const { env } = io;
  let dialect = env[variable] ? await readDialect(env[variable], io) : {};
  for (const name of Object.keys(env)
    .filter((key) => key.startsWith(`${variable}_`))
    .sort()) {
    const setting = name.slice(variable.length + 1).toLowerCase();
    const isFilter = setting.startsWith('filter_') && toPart(setting) === undefined;
    const changed = setDialectPart(dialect, isFilter ? setting.replace('_', '.') : setting, env[name] ?? '');
    if (changed === undefined) {
      throw new SalonError('usage', `${name} is not a setting of a dialect.`, {
        hint: 'The settings are described in docs/other-servers.md.',
      });
    }
    dialect = changed;
  }
  return dialect;
}

function toName({ extends: name }: SavedDialect, source: Source): Setting<string> | undefined {
  return typeof name === 'string' ? { value: name, source } : undefined;
}

function toSources(members: Partial<Dialect>, source: Source): ConfiguredDialect['sources'] {
  return Object.fromEntries(Object.keys(members).map((part) => [part, source]));
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SalonError('usage', `The dialect ${file} is not JSON.`, { cause });
  }
}

function unknownDialect(text: string): SalonError {
  return new SalonError('usage', `"${text}" is neither a ready-made dialect nor a file.`, {
    hint: `Use one of ${presetNames.join(', ')}, or a JSON file.`,
  });
}

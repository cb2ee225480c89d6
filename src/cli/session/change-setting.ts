import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createUnreadableError } from '../../bulk/jobs/file-access.ts';
import { type Dialect, dialectRules } from '../../client/dialect/dialect.ts';
import { dialectParts, parseDialect, parsePart } from '../../client/dialect/parse-dialect.ts';
import { presetNames, readPreset } from '../../client/dialect/presets.ts';
import { assertHeaders } from '../../client/http/credential.ts';
import { SalonError } from '../../contract/errors.ts';
import { readVariable, toSettingName } from '../../settings.ts';
import { didYouMean } from '../../text/closest.ts';
import { tryParseJson } from '../../text/json.ts';
import { settingTable } from '../flags/settings.ts';
import type { Io } from '../io.ts';
import { type Profile, savedSettings, settableNames, toSavedValue } from './profile.ts';
import type { Setting, Source } from './resolve-settings.ts';

/**
 * Parses a setting and its value; `default` removes the setting. Reads the file of a dialect. Throws `usage` for an
 * unknown setting; `apply` throws it for an invalid value.
 */
export async function parseSetting(given: string, value: string, io: Pick<Io, 'cwd'>) {
  const [name = '', ...keys] = given.split('.');
  const setting = [name.replaceAll('-', '_'), ...keys].join('.');
  const dialect = setting === 'dialect' ? await readDialect(value, io) : undefined;
  return {
    /** The saved name. */
    setting,
    /** The value as it may be shown. */
    shown: headerSetting.test(setting) && !['none', 'default'].includes(value) ? 'set' : value,
    apply(profile: Profile) {
      const changed = dialect ? withDialect(profile, dialect) : change(profile, setting, value, io.cwd);
      if (changed === undefined) throw unknownSetting(setting);
      return changed;
    },
  };
}

/** A change to a profile, applied to the version that is saved at that moment. */
export type SettingChange = Awaited<ReturnType<typeof parseSetting>>;

const headerSetting = /^header\.(.+)$/;

/** The changed profile; undefined for an unknown setting. */
function change(profile: Profile, setting: string, value: string, cwd: string): Profile | undefined {
  const definition = savedSettings.find(
    ({ profileKey, isSavedByLogin }) => profileKey === setting && !isSavedByLogin,
  );
  const isRemoved = value === 'default' || (value === 'none' && definition?.type === 'path');
  if (definition !== undefined) {
    const { [definition.profileKey]: _former, ...others } = profile;
    // The base URL, which a profile cannot lack, is not among them.
    return (isRemoved ? others : { ...others, [setting]: toSavedValue(definition, value, cwd) }) as Profile;
  }
  const header = headerSetting.exec(setting)?.[1]?.toLowerCase();
  if (header === undefined) {
    const dialect = setDialectPart(profile.dialect ?? {}, setting, value);
    return dialect && withDialect(profile, dialect);
  }
  const { [header]: _former, ...headers } = profile.headers ?? {};
  const given = value === 'none' || value === 'default' ? {} : assertHeaders({ [header]: value });
  return { ...profile, headers: { ...headers, ...given } };
}

function withDialect({ dialect: _former, ...others }: Profile, dialect: SavedDialect): Profile {
  return Object.keys(dialect).length === 0 ? others : { ...others, dialect };
}

function unknownSetting(setting: string): SalonError {
  const question = didYouMean(setting, [...settableNames, ...dialectSettings]);
  return new SalonError('usage', `No setting "${setting}".${question}`, {
    hint: `Settings: ${settableNames.join(', ')}`,
  });
}

/** A dialect as a profile or a file has it: members, and `extends` with the name of a ready-made one. */
export type SavedDialect = NonNullable<Profile['dialect']>;

/** Joins the dialects of the environment and a profile, member by member. Throws `usage` for an invalid one. */
export async function readConfiguredDialect(io: Pick<Io, 'cwd'>, env: Io['env'], saved: SavedDialect = {}) {
  const given = await readEnvironmentDialect(io, env);
  const profile = parseSavedDialect(saved);
  const environment = parseSavedDialect(given);
  return {
    /** The ready-made dialect that it builds on. */
    name: toName(given, 'environment') ?? toName(saved, 'profile'),
    members: { ...profile, ...environment },
    /** Where each member comes from. */
    sources: { ...toSources(profile, 'profile'), ...toSources(environment, 'environment') },
  };
}

/** Reads a dialect given as the name of a ready-made one or as a JSON file. `default` is the contract. Throws `usage`. */
async function readDialect(text: string, { cwd }: Pick<Io, 'cwd'>): Promise<SavedDialect> {
  if (text === 'default') return {};
  if (presetNames.some((name) => name === text)) return { extends: text };
  const json = await readFile(resolve(cwd, text), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' && !/[./\\]/.test(text)) throw unknownDialect(text);
    throw createUnreadableError(`the dialect ${text}`, cause);
  });
  const value = tryParseJson(json);
  if (value === undefined) throw new SalonError('usage', `The dialect ${text} is not JSON.`);
  parseDialect(value);
  return Object.fromEntries(
    Object.entries(Object(value)).map(([key, member]) => [toPart(key) ?? key, member]),
  );
}

/** Reads SALON_DIALECT and SALON_DIALECT_<SETTING>. Throws `usage`, naming the variable. */
export async function readEnvironmentDialect(io: Pick<Io, 'cwd'>, env: Io['env']): Promise<SavedDialect> {
  const { variable } = settingTable.dialect;
  const named = readVariable(settingTable.dialect, env);
  let dialect = named === undefined ? {} : await readDialect(named, io);
  const names = Object.keys(env).filter((key) => key.startsWith(`${variable}_`));
  for (const name of names.sort()) {
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

function toSources(members: Partial<Dialect>, source: Source): Readonly<Partial<Record<Part, Source>>> {
  return Object.fromEntries(Object.keys(members).map((part) => [part, source]));
}

function unknownDialect(text: string): SalonError {
  return new SalonError('usage', `"${text}" is neither a ready-made dialect nor a file.`, {
    hint: `Use one of ${presetNames.join(', ')}, or a JSON file.`,
  });
}

type Part = keyof Dialect;

/** All names, for suggestions. Each may start with `dialect.`; headers must, because a profile has its own. */
const dialectSettings: readonly string[] = [
  'dialect',
  ...dialectParts.map((part) => (part === 'headers' ? `dialect.${part}` : toSettingName(part))),
  'filter.<name>',
];

/**
 * Returns the changed dialect; undefined for an unknown setting. The value `default` removes a setting, and `none` sets it
 * to null. A setting of several values is changed by its member, as in `filter.q`. Throws `usage` for an invalid value.
 */
function setDialectPart(saved: SavedDialect, setting: string, text: string): SavedDialect | undefined {
  const [name = '', ...keys] = setting
    .replace(/^dialect\./, '')
    .replace(/^filter\./, 'filter_names.')
    .split('.');
  const part = toPart(name);
  if (part === undefined) return undefined;
  if (keys.length === 0)
    return replace(saved, part, text === 'default' ? undefined : toValue(part, text, setting));
  if (!isMap(part)) return undefined;
  const [list = '', ...ofList] = keys;
  if (part === 'lists' && ofList.length > 0) {
    const lists = readMap(saved, part);
    const own = setDialectPart({ ...(lists[list] as object | undefined) }, ofList.join('.'), text);
    return own && replace(saved, part, parsePart(part, { ...lists, [list]: own }, name));
  }
  const key = keys.join('.');
  const { [key]: _former, ...others } = readMap(saved, part);
  if (text === 'default') return replace(saved, part, others);
  return replace(saved, part, parsePart(part, { ...others, [key]: text === 'none' ? null : text }, name));
}

/** Parses a saved dialect. Members that this version does not know are left out. Throws `usage` for an invalid value. */
export function parseSavedDialect(saved: SavedDialect): Partial<Dialect> {
  const isKnown = (member: string) => member === 'extends' || toPart(toSettingName(member)) === member;
  return parseDialect(Object.fromEntries(Object.entries(saved).filter(([member]) => isKnown(member))));
}

/** Parses the value of a part from a text. Throws `usage`, naming it `shownAs`. */
function toValue(part: Part, text: string, shownAs: string): unknown {
  const { parse } = dialectRules[part];
  const fitting = readings(text).find((value) => parse(value) !== undefined);
  return fitting === undefined ? parsePart(part, text, shownAs) : fitting;
}

/** The part of that name: `pageParameter` for `page_parameter`. */
function toPart(name: string): Part | undefined {
  return dialectParts.find((part) => toSettingName(part) === name);
}

/** What a text may stand for, most likely first. */
function readings(text: string): readonly unknown[] {
  const parts = text.split(',').map((one) => one.trim());
  return [
    // A path has no null.
    ...(text === 'none' ? [null, ''] : []),
    text,
    ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
    Number(text),
    tryParseJson(text),
    ...(parts.every((one) => /^[^=]+=/.test(one)) ? [Object.fromEntries(parts.map(toEntry))] : []),
    parts,
  ];
}

function toEntry(text: string): [string, string | null] {
  const [key = '', ...value] = text.split('=');
  return [key, value.join('=') === 'none' ? null : value.join('=')];
}

function isMap(part: Part): boolean {
  return dialectRules[part].parse({}) !== undefined;
}

/** The members of a map, those of a ready-made dialect included. */
function readMap(saved: SavedDialect, part: Part): Readonly<Record<string, unknown>> {
  const own = saved[part];
  if (typeof own === 'object' && own !== null) return { ...own };
  const preset = presetNames.find((name) => name === saved['extends']);
  return preset === undefined ? {} : { ...(readPreset(preset)[part] as object | undefined) };
}

function replace(saved: SavedDialect, part: Part, value: unknown): SavedDialect {
  const { [part]: _former, ...others } = saved;
  return value === undefined ? others : { ...others, [part]: value };
}

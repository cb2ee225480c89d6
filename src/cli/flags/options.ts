import type { Command } from 'commander';
import { type FlagsOf, parseDurationMs, type SettingDefinition } from '../../settings.ts';
import { createOption, type FlagDefinition, type FlagTable, type FlagValues } from './flag.ts';
import { settingGroups, type settingTable } from './settings.ts';
import { parseCount, parseKeyValue, parseShard } from './values.ts';

/** The flags of every command. */
export type GlobalFlags = FlagsOf<typeof settingTable>;

/** Flags that mean the same on every command, before or after it. */
export function addGlobalOptions(program: Command): Command {
  for (const [group, definitions] of Object.entries(settingGroups)) {
    for (const definition of Object.values<SettingDefinition>(definitions)) {
      if (definition.flag === undefined || definition.commands !== undefined) continue;
      program.addOption(createOption(definition).helpGroup(`${group}:`));
    }
  }
  return program;
}

/** For commands that print records. */
export const printFlags = {
  columns: {
    flag: '-c, --columns <a,b,c>',
    help: 'Columns to show; +all for every column',
    complete: 'columns',
  },
  output: { flag: '-o, --output <file>', help: 'Write to a file, in the format of its extension' },
  excel: { flag: '--excel', help: 'CSV for spreadsheets: local times, decimals', isAdvanced: true },
} as const satisfies FlagTable;

export type PrintFlags = FlagValues<typeof printFlags>;

/** For lists with a fixed order. */
export const plainListFlags = {
  ...printFlags,
  limit: { flag: '--limit <n>', help: 'Stop after n records', parse: parseCount },
  param: {
    type: 'list',
    flag: '--param <name=value>',
    help: 'Extra query parameter, sent unchanged; repeatable',
    parse: parseKeyValue,
    isAdvanced: true,
  },
} as const satisfies FlagTable;

export const listFlags = {
  ...plainListFlags,
  sort: { flag: '--sort <field>', help: 'Sort by a field; -field for descending', complete: 'sort fields' },
} as const satisfies FlagTable;

export type ListFlags = FlagValues<typeof listFlags>;

/** Several stylists of a list. */
export const stylistsFlag = {
  type: 'list',
  flag: '--stylist <who>',
  help: 'Filter by stylist: name, email, phone or ID; repeatable',
  complete: 'stylists',
} as const satisfies FlagDefinition;

/** For lists that a client or a stylist narrows. */
export const filterFlags = {
  client: { flag: '--client <who>', help: 'Filter by client: name, email, phone or ID' },
  stylist: {
    flag: '--stylist <who>',
    help: 'Filter by stylist: name, email, phone or ID',
    complete: 'stylists',
  },
} as const satisfies FlagTable;

export const updatedSinceFlag = {
  updatedSince: {
    flag: '--updated-since <when>',
    help: 'Changed at or after, e.g. -7d or 2026-11-21',
    isAdvanced: true,
  },
} as const satisfies FlagTable;

/** For lists that can be exported, whole or only what changed. */
export const exportFlags = {
  ...listFlags,
  consistent: {
    flag: '--consistent',
    help: 'Read until two passes agree (at most 5 passes)',
    isAdvanced: true,
  },
  manifest: {
    flag: '--manifest',
    help: 'Write counts and a checksum to <file>.manifest.json',
    isAdvanced: true,
  },
  shard: {
    flag: '--shard <i/n>',
    help: 'Write only part i of n, e.g. 2/4',
    parse: parseShard,
    isAdvanced: true,
  },
  sinceLast: {
    flag: '--since-last',
    help: 'Export changes since the last run; needs --state',
    isAdvanced: true,
  },
  state: { flag: '--state <file>', help: 'File where --since-last saves its position', isAdvanced: true },
  includeDeleted: {
    flag: '--include-deleted',
    help: 'With --since-last: add deleted records',
    isAdvanced: true,
  },
  overlap: {
    flag: '--overlap <time>',
    help: 'Overlap with the last run, where the server lists no changes (default: 2m)',
    parse: parseDurationMs,
    isHidden: true,
  },
} as const satisfies FlagTable;

export type ExportFlags = FlagValues<typeof exportFlags>;

/** For commands that write one record. */
export const writeFlags = {
  set: {
    type: 'list',
    flag: '--set <field=value>',
    help: 'Set a field; field:=json for JSON; repeatable',
    complete: 'fields',
  },
  data: {
    flag: '--data <json>',
    help: 'Fields as JSON, @file, or - for stdin',
    complete: { filesAfter: '@' },
  },
  dryRun: { flag: '-n, --dry-run', help: 'Check and show what would be sent; change nothing' },
} as const satisfies FlagTable;

export type WriteFlags = FlagValues<typeof writeFlags>;

/** For commands that change one record. */
export const changeFlags = {
  ...writeFlags,
  partial: {
    flag: '--partial',
    help: 'Send only changed fields, if the server merges them',
    isAdvanced: true,
  },
  exitCode: {
    flag: '--exit-code',
    help: 'With --dry-run: exit with 9 if anything would change',
    isAdvanced: true,
  },
} as const satisfies FlagTable;

export type ChangeFlags = FlagValues<typeof changeFlags>;

/** For commands that ask before they change something on this machine. */
export const yesFlag = {
  yes: { flag: '-y, --yes', help: 'Do not ask for confirmation' },
} as const satisfies FlagTable;

/** For commands that change a salon without asking, unless the profile is protected. */
export const confirmFlag = {
  confirm: {
    flag: '--confirm <account>',
    help: 'Account name or ID, for protected profiles',
    isAdvanced: true,
  },
} as const satisfies FlagTable;

/** For commands that ask before they change a salon. */
export const confirmationFlags = { ...yesFlag, ...confirmFlag } as const satisfies FlagTable;

export type ConfirmationFlags = FlagValues<typeof confirmationFlags>;

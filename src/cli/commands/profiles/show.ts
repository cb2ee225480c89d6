import type { Command } from 'commander';
import { abbreviateKey } from '../../../contract/mask-secrets.ts';
import type { ActionRunner } from '../../action-runner.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addPrintOptions } from '../../flags/options.ts';
import { columnSet } from '../../output/columns.ts';
import { type CommandResult, onePage } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { isEmbedded } from '../../session/embedded.ts';
import { findDataFolder } from '../../session/folders.ts';
import type { Session } from '../../session/session.ts';
import { toSettingName } from '../../session/setting-names.ts';
import { isApiKey, type Settings, type Source } from '../../session/settings.ts';

export function registerProfilesShow(parent: Command, runner: ActionRunner): void {
  const show = addPrintOptions(
    parent
      .command('show')
      .argument('[profile]', 'profile (default: the current one)')
      .description('Show settings and where each comes from'),
  );
  addExamples(show, [
    ['SALON_BASE_URL=https://… salon profiles show', 'Check the effect of environment variables'],
  ]);
  show.action(runner.action(showProfile));
}

const settingColumns = columnSet({ setting: 'text', value: 'text', from: 'text' });

async function showProfile(context: CommandContext, name: string | undefined): Promise<CommandResult> {
  const session = await context.session(name);
  const { profileName, settings } = session;
  const { credential, headers, ...plain } = settings;
  const rows = [
    { setting: 'profile', value: profileName ?? null, from: findProfileSource(context, name) },
    ...Object.entries(plain).map(([setting, given]) => ({
      setting: toSettingName(setting),
      value: given === undefined ? null : String(given.value),
      from: given?.source ?? 'default',
    })),
    ...toCredentialRows(credential),
    ...Object.entries(headers).map(([header, { source }]) => ({
      setting: `header.${header}`,
      value: '…',
      from: source,
    })),
    ...(await readDialectRows(session, context)),
  ];
  return { show: 'records', noun: 'settings', columns: settingColumns, pages: onePage(rows) };
}

function toCredentialRows(credential: Settings['credential']) {
  const noKey = { setting: 'key', value: null, from: 'default' as const };
  if (credential === undefined) return [noKey];
  const { value, source: from } = credential;
  if (isApiKey(value)) return [{ setting: 'key', value: abbreviateKey(value.key), from }];
  const signIn = `OAuth at ${value.issuer} as ${value.client_id}, stored in the ${value.storage}`;
  return [noKey, { setting: 'sign_in', value: signIn, from }];
}

function findProfileSource({ flags, io }: CommandContext, name: string | undefined): Source {
  if (name !== undefined || flags.profile !== undefined) return 'flag';
  return io.env['SALON_PROFILE'] ? 'environment' : 'default';
}

/** How the server differs: what is configured, and what commands have detected. The rest is the contract. */
async function readDialectRows({ profile, settings }: Session, { io }: CommandContext) {
  const baseUrl = settings.baseUrl?.value;
  if (baseUrl === undefined || isEmbedded(baseUrl)) return [];
  const [{ readConfiguredDialect }, { readDetectedDialect }] = await Promise.all([
    import('../../session/configured-dialect.ts'),
    import('../../session/detected-dialect.ts'),
  ]);
  const { name, members, sources } = await readConfiguredDialect(io, profile?.dialect);
  const detected = await readDetectedDialect({ folder: findDataFolder(io), baseUrl, configured: members });
  const rows = Object.entries({ ...detected, ...members }).map(([part, value]) => ({
    setting: `dialect.${toSettingName(part)}`,
    value: part === 'headers' ? '…' : JSON.stringify(value),
    from: sources[part as keyof typeof sources] ?? 'detected',
  }));
  return name === undefined ? rows : [{ setting: 'dialect', value: name.value, from: name.source }, ...rows];
}

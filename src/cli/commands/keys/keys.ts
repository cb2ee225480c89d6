import type { Command } from 'commander';
import type { ActionRunner } from '../../action-runner.ts';
import { readListQuery } from '../../export/list-records.ts';
import { addExamples } from '../../flags/help-page.ts';
import { addConfirmationOptions, addPlainListOptions, type ListFlags } from '../../flags/options.ts';
import { apiKeyColumns } from '../../output/columns.ts';
import type { CommandResult } from '../../output/command-result.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { checkDryRun } from '../../session/dry-run.ts';
import { registerKeysCreate } from './create.ts';
import { keyReference } from './find-key.ts';
import { registerKeysRoll } from './roll.ts';

export function registerKeys(keys: Command, runner: ActionRunner): void {
  registerList(keys, runner);
  registerKeysCreate(keys, runner);
  registerKeysRoll(keys, runner);
  registerRevoke(keys, runner);
}

interface KeyListFlags extends ListFlags {
  readonly status?: string;
}

function registerList(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('list')
    .description('List API keys with their rights, last use and expiry')
    .option('--status <a,b>', 'active, expired, revoked (default: active,expired)');
  addPlainListOptions(command);
  addExamples(command, [
    ['salon keys list', 'List active and expired keys'],
    ['salon keys list --status revoked', 'List revoked keys'],
    ['salon keys list --json | jq ".[] | select(.last_used_at == null)"', 'Find keys that were never used'],
  ]);
  command.action(runner.action(listKeys));
}

async function listKeys(context: CommandContext<KeyListFlags>): Promise<CommandResult> {
  const { status } = context.flags;
  const { query, options } = await readListQuery(context, { status });
  const client = await context.client();
  const pages = client.apiKeys.list(query, options);
  return {
    show: 'records',
    noun: 'API keys',
    columns: apiKeyColumns,
    pages,
    rateLimit: client.limits,
    report: pages.consistency,
  };
}

interface RevokeFlags {
  readonly dryRun?: boolean;
}

function registerRevoke(parent: Command, runner: ActionRunner): void {
  const command = parent
    .command('revoke')
    .argument('<key>', keyReference)
    .description('Revoke an API key at once, with everything it created')
    .option('-n, --dry-run', 'Show the key; change nothing');
  addConfirmationOptions(command);
  addExamples(command, [
    ['salon keys revoke Website', 'Revoke after confirmation'],
    ['salon keys revoke slk_Ab12', 'By the start of the key'],
    ['salon keys revoke key_01jd… --yes', 'In a script'],
  ]);
  command.action(runner.action(revokeKey));
}

async function revokeKey(context: CommandContext<RevokeFlags>, reference: string): Promise<CommandResult> {
  const { describeCreated, describeKey, findKey, readOwnKeyId } = await import('./find-key.ts');
  const key = await findKey(context, reference, {
    statuses: ['active', 'expired'],
    isBetter: ({ status }) => status === 'active',
  });
  const name = `API key ${describeKey(key)}${describeCreated(key)}`;
  if (context.flags.dryRun) {
    const verdict = await checkDryRun(context, ({ apiKeys }) => apiKeys.revoke(key.id));
    const message = `Would revoke ${name}.\n${verdict}`;
    return { show: 'record', record: { id: key.id, revoked: false }, message };
  }
  const isOwn = (await readOwnKeyId(context)) === key.id;
  const warning = isOwn ? ' You are using this key: you will have to sign in again.' : '';
  await context.confirm(`Revoke ${name}? Programs that use it stop working at once.${warning}`);
  await (await context.client()).apiKeys.revoke(key.id);
  return { show: 'record', record: { id: key.id, revoked: true }, message: `Revoked ${name}.` };
}

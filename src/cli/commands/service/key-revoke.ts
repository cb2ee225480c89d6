import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addExamples, addYesOption } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { addDatabaseOption, administer, type DatabaseFlags } from './administer.ts';

export function registerKeyRevoke(parent: Command, frame: Frame): void {
  const command = parent
    .command('revoke')
    .argument('<id>', 'identifier of the key, as shown when it was made')
    .description('End an API key at once');
  addDatabaseOption(command);
  addYesOption(command);
  addExamples(command, [
    ['salon service key revoke key_01jd… --yes --database sqlite:salon.db', 'from the next request on'],
  ]);
  command.action(frame.action(revokeKey));
}

async function revokeKey(call: Call<DatabaseFlags>, id: string): Promise<Outcome> {
  await call.consentHere(`End key ${id}? Whatever uses it stops working.`);
  await administer(call, (administration) => administration.revokeApiKey(id));
  return { show: 'record', record: { id, revoked: true }, said: `Key ${id} is ended.` };
}

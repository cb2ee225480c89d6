import type { Command } from 'commander';
import type { Call } from '../../call.ts';
import type { Frame } from '../../frame.ts';
import { addConfirmOption, addExamples, addPrintOptions } from '../../flags/options.ts';
import type { Outcome } from '../../output/outcome.ts';
import { columnSet } from '../../print/columns.ts';
import { renderInstant } from '../../print/instants.ts';
import { addSecretOption, makeSecret, type SecretFlags } from './new-secret.ts';

interface Flags extends SecretFlags {
  readonly dryRun?: boolean;
}

const columns = columnSet({ id: 'text', former_secret_until: 'instant' });

export function registerWebhooksRotate(parent: Command, frame: Frame): void {
  const command = parent
    .command('rotate')
    .argument('<id>', 'identifier of the webhook')
    .description('Give a webhook another secret; the one before it signs too, for another 24 hours')
    .option('-n, --dry-run', 'show which webhook it would be, change nothing');
  addConfirmOption(addSecretOption(command));
  addPrintOptions(command);
  addExamples(command, [
    ['salon webhooks rotate whk_01jd…', 'shows the new secret, once'],
    ['salon webhooks rotate whk_01jd… --secret-file hook.secret', 'keeps it in a new file instead'],
  ]);
  command.action(frame.action(rotateSecret));
}

async function rotateSecret(call: Call<Flags>, id: string): Promise<Outcome> {
  if (call.flags.dryRun) {
    const { url } = await (await call.client()).webhooks.get(id);
    return { show: 'record', record: { id, url }, said: `The webhook to ${url} would get another secret.` };
  }
  return makeSecret(call, async () => {
    const record = await (await call.client()).webhooks.rotateSecret(id);
    const { value: timeZone } = (await call.session()).settings.timeZone;
    const until = renderInstant(record.former_secret_until, { timeZone });
    const said = `Webhook ${id} has another secret; the one before it signs too until ${until} (${timeZone}).`;
    return { id, record: { ...record }, columns, said };
  });
}

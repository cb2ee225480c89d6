import { addsRecords } from '../../bulk/input/edit-fields.ts';
import type { Plan } from '../../bulk/plan/plan-file.ts';
import { SalonError } from '../../contract/errors.ts';
import { isSameService } from '../../contract/salon-service.ts';
import { countOf } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';
import { findServices } from '../availability/salon-facts.ts';
import { learnUsual } from '../availability/usual-services.ts';
import type { EditFlags } from '../flags/edit-flags.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

const maxShown = 10;

/**
 * Names the services of new appointments that the salon does not list. Returns what adds them, with their usual duration
 * and, if all rows agree, their price, to a result; undefined if there are none, or nobody wants them. Throws if they
 * would be refused, where the server can tell.
 */
export async function readUnlistedServices(
  { head, rows }: Plan,
  context: CommandContext<EditFlags>,
): Promise<((result: CommandResult) => Promise<CommandResult>) | undefined> {
  const { flags, messages, prompts } = context;
  if (head.edit.noun !== 'appointments' || !addsRecords(head.edit.verb)) return undefined;
  const booked: { service: string; minutes: number; price: unknown }[] = [];
  for await (const { change: { service, duration, price } = {} } of rows())
    if (typeof service === 'string') booked.push({ service, minutes: Number(duration), price });
  const listed = booked.length === 0 ? undefined : await findServices(context);
  if (listed === undefined) return undefined;
  const isListed = (service: string) => listed.some(({ name }) => isSameService(name, service));
  const unlisted = learnUsual(booked.filter(({ service }) => !isListed(service)));
  if (unlisted.length === 0) return undefined;
  const names = unlisted.map(({ service, count }) => `${quote(service, 60)} (${countOf(count, 'rows')})`);
  const shown = [...names.slice(0, maxShown), ...(names.length > maxShown ? ['…'] : [])].join(', ');
  const count = countOf(unlisted.length, 'services');
  messages.info(`service: ${count} that the salon does not list: ${shown}`);
  const isSent = flags.dryRun !== true && flags.planFile === undefined && flags.simulate !== true;
  const isAsked = isSent && flags.addServices !== true && prompts.isInteractive;
  const question = `Add ${count} to the list of the salon, after the appointments?`;
  if (flags.addServices !== true && !(isAsked && (await prompts.confirm(question)))) {
    if (!isAsked) messages.info('--add-services adds them to the list of the salon.');
    return undefined;
  }
  const wanted = unlisted.map(({ service: name, usualMinutes: duration }) => {
    const prices = booked.filter(({ service }) => isSameService(service, name)).map(({ price }) => price);
    const [price] = new Set(prices).size === 1 ? prices : [];
    return { name, duration, price: typeof price === 'number' ? price : null };
  });
  const client = await context.client();
  const trial = await client.dryRun();
  for (const service of wanted) await trial?.services.create(service);
  return isSent ? addServices : undefined;

  async function addServices(result: CommandResult): Promise<CommandResult> {
    for (const [added, service] of wanted.entries()) {
      try {
        await client.services.create(service);
      } catch (thrown) {
        if (!(thrown instanceof SalonError)) throw thrown;
        messages.warn(`${added} of ${count} added: ${thrown.message} For the others: salon services create`);
        return { ...result, exitCode: result.exitCode || exitCodes.partly.code };
      }
    }
    messages.info(`${count} added. To change one: salon services update`);
    return result;
  }
}

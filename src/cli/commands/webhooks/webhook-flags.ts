import type { Command } from 'commander';
import { SalonError } from '../../../contract/errors.ts';
import { type EventPattern, eventPatterns, isEventPattern } from '../../../contract/events.ts';
import type { Fields } from '../../fields.ts';
import { closest } from '../../../contract/closest.ts';
import { parseList } from '../../flags/values.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { isEmbedded } from '../../session/embedded.ts';

/** Flags that say what a webhook is told, and what it is for. */
export interface WebhookFlags {
  readonly events?: string;
  readonly description?: string;
}

export function addWebhookOptions(command: Command): Command {
  return command
    .option('--events <a,b>', 'what it is told of: *, a family such as booking.*, or names of events')
    .option('--description <text>', 'what it is for');
}

/** The fields that the flags give. Throws `usage` for an event nobody knows. */
export function toWebhookBody({ events, description }: WebhookFlags): Fields {
  return {
    ...(events === undefined ? {} : { events: parseEvents(events) }),
    ...(description === undefined ? {} : { description }),
  };
}

function parseEvents(text: string): readonly string[] {
  const patterns = parseList(text, '--events');
  const unknown = patterns.find((pattern) => !isEventPattern(pattern));
  if (unknown === undefined) return patterns;
  const near = closest(unknown, eventPatterns);
  const question = near === undefined ? '' : ` Did you mean ${near}?`;
  throw new SalonError('usage', `There is no event "${unknown}".${question}`, {
    hint: `Events: ${eventPatterns.join(', ')}. A server that has others is sent them with --set 'events:=["${unknown}"]'.`,
  });
}

/** `booking.*,client.deleted` as the patterns it names; everything where nothing is said. Throws `usage`. */
export function parseEventPatterns(text: string | undefined): readonly EventPattern[] {
  if (text === undefined) return ['*'];
  return parseList(text, '--events').map((name) => {
    if (isEventPattern(name)) return name;
    const meant = closest(name, eventPatterns);
    throw new SalonError('usage', `--events has "${name}", which no event is called.`, {
      hint: meant === undefined ? `There are: ${eventPatterns.join(', ')}.` : `Did you mean ${meant}?`,
    });
  });
}

/** Says of an embedded salon that nobody sends what is on its way once the command is over. */
export async function explainDeliveryStart({ session, messages }: CommandContext): Promise<void> {
  const { baseUrl } = (await session()).settings;
  if (baseUrl === undefined || !isEmbedded(baseUrl.value)) return;
  messages.info(
    'This salon runs inside salon, and sends only while a command does: keep salon webhooks listen open.',
  );
}

import type { Command } from 'commander';
import { closest } from '../../../contract/closest.ts';
import { SalonError } from '../../../contract/errors.ts';
import { type EventPattern, eventPatterns, isEventPattern } from '../../../contract/events.ts';
import type { FieldValues } from '../../flags/fields.ts';
import { joinLists } from '../../flags/options.ts';
import { parseList } from '../../flags/values.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { isEmbedded } from '../../session/embedded.ts';

/** Flags for the events and the description of a webhook. */
export interface WebhookFlags {
  readonly events?: string;
  readonly description?: string;
}

export function addWebhookOptions(command: Command): Command {
  return command
    .option('--events <a,b>', 'event types: *, booking.*, or names', joinLists)
    .option('--description <text>', 'description');
}

/** Converts the flags to fields. Throws `usage` for an unknown event type. */
export function toWebhookBody({ events, description }: WebhookFlags): FieldValues {
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
  throw new SalonError('usage', `Unknown event type "${unknown}".${question}`, {
    hint: `Event types: ${eventPatterns.join(', ')}. If your server has others, use --set 'events:=["${unknown}"]'.`,
  });
}

/** Parses a list such as `booking.*,client.deleted`; without one, all events. Throws `usage`. */
export function parseEventPatterns(text: string | undefined): readonly EventPattern[] {
  if (text === undefined) return ['*'];
  return parseList(text, '--events').map((name) => {
    if (isEventPattern(name)) return name;
    const meant = closest(name, eventPatterns);
    throw new SalonError('usage', `Unknown event type "${name}" in --events.`, {
      hint: meant === undefined ? `Event types: ${eventPatterns.join(', ')}.` : `Did you mean ${meant}?`,
    });
  });
}

/** An embedded salon delivers only while a command runs: tell the user. */
export async function explainDeliveryStart({ session, messages }: CommandContext): Promise<void> {
  const { baseUrl } = (await session()).settings;
  if (baseUrl === undefined || !isEmbedded(baseUrl.value)) return;
  messages.info('This embedded salon delivers only while a command runs: keep "salon webhooks listen" open.');
}

import {
  appointment,
  appointmentQuery,
  appointmentStatuses,
  newAppointment,
} from '../../contract/appointment.ts';
import { client, clientQuery, newClient } from '../../contract/client.ts';
import { deliveryStatuses } from '../../contract/delivery.ts';
import { eventPatterns, eventTypes } from '../../contract/events.ts';
import {
  newPayment,
  payment,
  paymentMethods,
  paymentQuery,
  paymentStatuses,
} from '../../contract/payment.ts';
import { scopes } from '../../contract/roles.ts';
import { newStylist, stylist, stylistQuery } from '../../contract/stylist.ts';
import { newWebhook } from '../../contract/webhook.ts';
import { settingNames } from '../commands/profiles/set.ts';
import { type ColumnSet, deliveryColumns, webhookColumns } from '../output/columns.ts';
import { listRequestPaths } from './request-paths.ts';

/** What can stand for the value of a flag, or for an argument. */
export type Value =
  /** Anything: there is nothing to offer. */
  | { readonly kind: 'free' }
  | { readonly kind: 'word'; readonly words: readonly string[] }
  /** Several of the words, with commas between them. */
  | { readonly kind: 'list'; readonly words: readonly string[] }
  /** One of the words, an equals sign, and anything. */
  | { readonly kind: 'assignment'; readonly words: readonly string[] }
  /** One of the words that go with the argument before: each is that argument, an equals sign, and the word. */
  | { readonly kind: 'after'; readonly words: readonly string[] }
  /** A file's path, behind a mark such as `@` where there is one. */
  | { readonly kind: 'file'; readonly mark: string }
  /** A profile of this machine: asked from the program itself when it is needed. */
  | { readonly kind: 'profile' };

/** A place in a command where a value goes. */
export interface Place {
  /** The words that lead to the command, such as `clients list`. */
  readonly path: string;
  /** The flag's longest spelling, or the argument's name. */
  readonly name: string;
  /** How help calls the value, such as `file` in `--output <file>`. */
  readonly placeholder: string;
  readonly choices: readonly string[] | undefined;
}

/** What a place takes, where neither its choices nor its placeholder tell. */
export const valuesByPlace: Readonly<Record<string, Value>> = {
  'appointments list --status': { kind: 'list', words: appointmentStatuses },
  'appointments calendar --status': { kind: 'list', words: appointmentStatuses },
  'appointments create --status': { kind: 'word', words: appointmentStatuses },
  'appointments update --status': { kind: 'word', words: appointmentStatuses },
  'payments list --status': { kind: 'list', words: paymentStatuses },
  'payments record --status': { kind: 'word', words: paymentStatuses },
  'payments record --method': { kind: 'word', words: paymentMethods },
  'webhooks list --columns': toNames(webhookColumns),
  'webhooks create --columns': toNames(webhookColumns),
  'webhooks create --events': { kind: 'list', words: eventPatterns },
  'webhooks create --set': { kind: 'assignment', words: Object.keys(newWebhook.properties) },
  'webhooks update --columns': toNames(webhookColumns),
  'webhooks update --events': { kind: 'list', words: eventPatterns },
  'webhooks update --set': { kind: 'assignment', words: Object.keys(newWebhook.properties) },
  'webhooks test --columns': toNames(deliveryColumns),
  'webhooks deliveries --columns': toNames(deliveryColumns),
  'webhooks deliveries --status': { kind: 'word', words: deliveryStatuses },
  'webhooks redeliver --columns': toNames(deliveryColumns),
  'webhooks redeliver --status': { kind: 'word', words: deliveryStatuses },
  'webhooks listen --events': { kind: 'list', words: eventPatterns },
  'webhooks replay --events': { kind: 'list', words: eventPatterns },
  'webhooks trigger type': { kind: 'word', words: eventTypes },
  'service key create --scopes': { kind: 'list', words: scopes },
  'service start --log-level': { kind: 'word', words: ['silent', 'error', 'warn', 'info', 'debug'] },
  'profiles show name': { kind: 'profile' },
  'profiles use name': { kind: 'profile' },
  'profiles set name': { kind: 'profile' },
  'profiles set setting': {
    kind: 'word',
    words: settingNames.map((name) => name.replace('<name>', '')),
  },
  'profiles remove name': { kind: 'profile' },
  'api path': { kind: 'after', words: listRequestPaths() },
  'api method': { kind: 'word', words: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] },
};

/** The value a place takes; a place nobody knows takes anything. */
export function toValue({ path, name, placeholder, choices }: Place): Value {
  if (choices !== undefined) return { kind: 'word', words: choices };
  return valuesByPlace[`${path} ${name}`] ?? byField(path, name) ?? byPlaceholder(name, placeholder);
}

/** The records of a noun: what is read, what is written, and how a list of them is ordered. */
const records = {
  appointments: { read: appointment, write: newAppointment, query: appointmentQuery },
  clients: { read: client, write: newClient, query: clientQuery },
  payments: { read: payment, write: newPayment, query: paymentQuery },
  stylists: { read: stylist, write: newStylist, query: stylistQuery },
} as const;

function toNames({ all }: ColumnSet): Value {
  return { kind: 'list', words: all.map(({ key }) => key) };
}

function byField(path: string, flag: string): Value | undefined {
  const noun = Object.entries(records).find(([name]) => path.startsWith(`${name} `))?.[1];
  if (noun === undefined) return undefined;
  switch (flag) {
    case '--columns':
      return { kind: 'list', words: Object.keys(noun.read.properties) };
    case '--sort':
      return { kind: 'word', words: noun.query.properties.sort.enum };
    case '--set':
      return { kind: 'assignment', words: Object.keys(noun.write.properties) };
    default:
      return undefined;
  }
}

function byPlaceholder(name: string, placeholder: string): Value {
  if (name === '--profile') return { kind: 'profile' };
  if (/^file\b/.test(placeholder)) return { kind: 'file', mark: '' };
  if (name === '--data') return { kind: 'file', mark: '@' };
  if (name === '--database') return { kind: 'file', mark: 'sqlite:' };
  return { kind: 'free' };
}

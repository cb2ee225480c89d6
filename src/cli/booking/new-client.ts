import { takeFirst } from '../../client/pagination/paginate.ts';
import type { Written } from '../../client/resources/response-record.ts';
import { isUnavailable, SalonError, withContext } from '../../contract/errors.ts';
import type { CommandResult } from '../output/command-result.ts';
import type { NamedPerson } from '../people/resolve.ts';
import { chooseExisting, type DuplicateFlags } from '../people/same-person.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { AddedClient, Booking, BookingDraft, Bookings } from './draft.ts';

/** The draft, with somebody who exists already in place of the new client if that is chosen at a terminal. */
export async function settleNewClient<Draft extends BookingDraft>(
  draft: Draft,
  context: CommandContext<DuplicateFlags>,
): Promise<Draft> {
  if (draft.newClient === undefined) return draft;
  const client = await chooseExisting(draft.newClient, context, 'Book for');
  return client === undefined ? draft : withClient(draft, client);
}

/** The draft with somebody who exists in place of the new client. */
export function withClient<Draft extends BookingDraft>(draft: Draft, client: NamedPerson): Draft {
  const replace = <One extends BookingDraft>(one: One): One =>
    one.newClient === undefined ? one : { ...one, client, newClient: undefined };
  return { ...replace(draft), others: draft.others?.map(replace) };
}

/** The fields of a client: the first word of the name is the first name. */
export function toClientFields({ name, phone }: AddedClient) {
  const [first_name = '', ...rest] = name.trim().split(/\s+/);
  const last_name = rest.join(' ');
  return { first_name, ...(last_name && { last_name }), ...(phone && { phone }) };
}

/** The ID of any client: a server that checks a booking only wants to know that the client exists. */
export async function findStandIn(context: CommandContext): Promise<string | undefined> {
  const { clients } = await context.client();
  const first = await takeFirst(clients.list(undefined, { limit: 1 })).catch((error) => {
    if (!isUnavailable(error)) throw error;
  });
  return first?.rows[0]?.id;
}

interface BookingSteps {
  check(bookings: Bookings): Promise<unknown>;
  submit(bookings: Bookings): Promise<CommandResult>;
  /** Gets a client who was added and stays. */
  keepClient(client: NamedPerson): void;
}

/**
 * Submits bookings, and adds their new client just before. Nobody is added for a booking that the server is known to
 * refuse; if it refuses the booking then, the client is removed again, or named where that is not certain to be safe.
 */
export async function submitBookings(
  bookings: Bookings,
  { check, submit, keepClient }: BookingSteps,
  context: CommandContext<DuplicateFlags>,
): Promise<CommandResult> {
  const newClient = bookings.find((one) => one.newClient !== undefined)?.newClient;
  // Before the client is added.
  await context.localTimes.confirm(bookings.map(({ start }) => start));
  if (newClient === undefined || context.flags.dryRun === true) return submit(bookings);
  await check(bookings);
  const added = await (await context.client()).clients.create(toClientFields(newClient));
  const { id } = added;
  const { name } = newClient;
  if (id === undefined) {
    throw new SalonError('unexpected_response', `The server added ${name}, but sent no ID to book with.`, {
      hint: `Look it up and book again: salon clients list --search "${name}"`,
    });
  }
  try {
    const booked = bookings.map((one) => withClient(one, { id, name }));
    const result = await submit(booked as [Booking, ...Booking[]]);
    context.messages.info(`Added client ${name} (${id}).`);
    return result;
  } catch (error) {
    if (await isRemoved(error, added, context)) throw error;
    keepClient({ id, name });
    const left = `${name} was added and is still a client. To remove: salon clients delete ${id}`;
    const hintOf = ({ hint }: SalonError) => [hint, left].filter(Boolean).join('\n  ');
    throw error instanceof SalonError ? withContext(error, { hint: hintOf(error) }) : error;
  }
}

/**
 * Deletes the client who was just added, if the booking was certainly refused and nobody has changed the client since.
 * Servers that ignore `If-Match` delete a changed client, too.
 */
async function isRemoved(
  error: unknown,
  { id = '', etag }: Written<object>,
  context: CommandContext,
): Promise<boolean> {
  const { code, status = 0 } = error instanceof SalonError ? error : {};
  const isRefused = status >= 400 && status < 500 && status !== 408 && code !== 'result_unknown';
  if (!isRefused || etag === undefined) return false;
  const { clients, isForeign } = await context.client();
  if (isForeign) return false;
  return clients
    .delete(id, { ifMatch: etag })
    .then(() => true)
    .catch(() => false);
}

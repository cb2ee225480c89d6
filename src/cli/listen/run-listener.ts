import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SalonError } from '../../contract/errors.ts';
import type { EventPattern } from '../../contract/events.ts';
import { countOf } from '../../text/numbers.ts';
import { renderMinutes } from '../output/cell.ts';
import type { FeedEntry } from '../output/command-result.ts';
import { readStyle } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { createEventIntake, type EventIntake } from './event-intake.ts';
import { createEventRenderer, createListenerCounts } from './event-renderer.ts';
import { openForwarder } from './forwarder.ts';
import { type MissedEventPoller, startMissedEventPoller } from './missed-event-poller.ts';
import { openRecording } from './recording.ts';
import { openRegistration, type Registration } from './registration.ts';
import { openWebhookServer, type WebhookServer } from './webhook-server.ts';

export interface ListenerOptions {
  readonly context: CommandContext;
  readonly host: string;
  readonly port: number;
  /** The URL at which the service reaches the listener, if it is not the listening address. */
  readonly publicUrl: string | undefined;
  readonly events: readonly EventPattern[];
  /** The URL to forward webhooks to. */
  readonly target: URL | undefined;
  readonly record: string | undefined;
  /** Secrets of an endpoint registered by hand; undefined: the listener registers one. */
  readonly secrets: readonly string[] | undefined;
  readonly keepName: string | undefined;
}

/** Receives, records, forwards and prints webhooks until interrupted, then removes its endpoint. */
export async function* runListener(plan: ListenerOptions): AsyncGenerator<FeedEntry, void> {
  const { context, events, keepName } = plan;
  const { io, messages } = context;
  // Read before anything is registered, so that an interrupt from here on cleans up.
  const { signal } = io;
  await using open = new AsyncDisposableStack();
  const recording =
    plan.record === undefined ? undefined : open.use(openRecording(resolve(io.cwd, plan.record)));
  const forward = plan.target && (await openForwarder(plan.target, context));
  const render = createEventRenderer(await readStyle(context));
  const counts = createListenerCounts();
  let url = plan.publicUrl ?? '';
  const intake = createEventIntake({ events, url: () => url, now: io.now, say: messages.info });
  const receiver = open.use(
    await openWebhookServer({
      host: plan.host,
      port: plan.port,
      take: (message) => intake.receive(message),
      refused: (reason) => messages.warn(`Refused a request. ${reason}`),
    }),
  );
  receiver.failed.catch((error: unknown) => intake.close(error));
  url ||= `${receiver.origin}/`;
  const opened =
    plan.secrets === undefined ? await openRegistration({ url, events, name: keepName }, context) : undefined;
  if (opened !== undefined) open.defer(() => endRegistration(opened.own, plan));
  const secrets = plan.secrets ?? [opened?.own.secret ?? ''];
  intake.start(secrets, opened?.own);
  announceStart(plan, { receiver, url, secret: opened?.own.secret });
  const abandonedEndpoints = new Set(opened?.abandonedEndpoints);
  for (const abandoned of abandonedEndpoints) {
    try {
      const { count } = await intake.fetchMissed(abandoned, io.now().getTime());
      messages.info(`A previous listener was killed. ${describeMissed(count)} Removing its endpoint.`);
    } catch (thrown) {
      if (!(thrown instanceof SalonError)) throw thrown;
      if (thrown.code !== 'not_found') messages.warn(`A previous listener was killed: ${thrown.message}`);
    }
  }
  const { aliveAtMs, disabledAt } = { ...opened?.own };
  if (opened !== undefined && aliveAtMs !== undefined) {
    const nowMs = io.now().getTime();
    const { count } = await intake.fetchMissed(opened.own, nowMs);
    const minutes = Math.floor((nowMs - aliveAtMs) / 60_000);
    const away = minutes < 1 ? 'less than a minute' : renderMinutes(minutes);
    messages.info(`Offline for ${away}. ${describeMissed(count)}`);
    if (disabledAt !== undefined)
      messages.warn(
        `The service disabled the endpoint at ${disabledAt} because it did not respond. It is enabled again; events in between are not in the log.`,
      );
  }
  const watch =
    opened && open.use(startMissedEventPoller({ intake, registration: opened.own, messages, now: io.now }));
  const stopNow = () => void stop(intake, { receiver, watch }, context);
  if (signal.aborted) stopNow();
  else signal.addEventListener('abort', stopNow, { once: true });
  await removeProcessed(abandonedEndpoints, intake, context);
  for await (const webhook of intake.events()) {
    recording?.append(webhook);
    const forwarded = (await forward?.(webhook)) ?? null;
    counts.add(webhook, forwarded);
    yield render(webhook, forwarded);
    await intake.acknowledge(webhook);
    await removeProcessed(abandonedEndpoints, intake, context);
  }
  messages.info(`Stopped. ${counts.render(intake.duplicates)}`);
}

function announceStart(
  { context, events, target, secrets, keepName }: ListenerOptions,
  { receiver, url, secret }: { receiver: WebhookServer; url: string; secret: string | undefined },
): void {
  const { info: say } = context.messages;
  const what = events.includes('*') ? 'every event' : events.join(', ');
  say(`Listening on ${receiver.origin} for ${what}. Press Ctrl-C to stop.`);
  if (secrets !== undefined) say('Accepting deliveries signed with the given secret. Nothing is registered.');
  else if (keepName === undefined) say(`The salon delivers to ${url} until you stop.`);
  else say(`The salon delivers to ${url}. The endpoint stays registered as "${keepName}".`);
  if (target === undefined) return;
  say(`Forwarding to ${target.href}${secret === undefined ? '' : ` (verify with ${secret})`}`);
}

/** Removes old endpoints once all their missed events are processed: their logs are needed until then. */
async function removeProcessed(
  abandonedEndpoints: Set<Registration>,
  intake: EventIntake,
  { messages, io }: CommandContext,
): Promise<void> {
  for (const abandoned of abandonedEndpoints) {
    if (intake.pending > 0) return;
    try {
      const { count, hasMore } = await intake.fetchMissed(abandoned, io.now().getTime());
      if (count > 0 || hasMore) return;
      await withTimeout(abandoned.remove());
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      messages.warn(`An old endpoint stays registered until the next start: ${thrown.message}`);
    }
    abandonedEndpoints.delete(abandoned);
  }
}

/** Stops receiving, and looks for missed events before the endpoint is removed. */
async function stop(
  intake: EventIntake,
  { receiver, watch }: { receiver: WebhookServer; watch: MissedEventPoller | undefined },
  { messages, io }: CommandContext,
): Promise<void> {
  if (intake.pending > 0) {
    messages.info(`Processing ${countOf(intake.pending, 'events')}. Press Ctrl-C again to quit now.`);
  }
  await receiver.close();
  const untilMs = io.now().getTime();
  try {
    while (watch !== undefined && (await withTimeout(watch.look(untilMs)))) await delay(queueCheckMs);
  } catch {
    messages.warn('Cannot check for missed events: the service does not respond.');
  }
  intake.close();
}

/** How often to check for room in the queue. */
const queueCheckMs = 100;

async function endRegistration(own: Registration, { context, keepName }: ListenerOptions): Promise<void> {
  const { messages } = context;
  if (keepName !== undefined) {
    own.save();
    messages.info(`The endpoint stays registered. Use --keep ${keepName} to see missed events next time.`);
    return;
  }
  try {
    await withTimeout(own.remove());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    own.save();
    messages.warn(`The endpoint stays registered until the next start: ${reason}`);
  }
}

/** Time limit for stopping if the service does not respond. */
const stopTimeoutMs = 10_000;

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the service does not respond')), stopTimeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function describeMissed(count: number): string {
  if (count === 0) return 'No events were missed.';
  return `${countOf(count, 'events')} ${count === 1 ? 'was' : 'were'} missed.`;
}

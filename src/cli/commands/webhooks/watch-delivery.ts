import type { Row } from '../../../bulk/export/write-pages.ts';
import type { Clock } from '../../../client/clock.ts';
import type { PagedList } from '../../../client/pagination/paginate.ts';
import type { WebhookCollection } from '../../../client/resources/webhooks.ts';
import type { Delivery } from '../../../contract/delivery.ts';
import type { RecordPage } from '../../output/command-result.ts';

export interface Watch {
  readonly webhooks: Pick<WebhookCollection, 'deliveries'>;
  readonly webhookId: string;
  readonly clock: Clock;
  /** How long to poll. */
  readonly patienceMs: number;
  /** Stops polling; the promise rejects. */
  readonly signal: AbortSignal;
}

const firstPauseMs = 250;
const growth = 1.5;
const longestPauseMs = 5_000;

/** Polls a delivery with growing pauses until its first attempt. Returns undefined if that takes too long. */
export async function watchDelivery(delivery: Delivery, watch: Watch): Promise<Delivery | undefined> {
  const { clock, signal } = watch;
  const endMs = clock.now() + watch.patienceMs;
  let present = delivery;
  for (let pauseMs = firstPauseMs; !wasTried(present); pauseMs = Math.min(pauseMs * growth, longestPauseMs)) {
    const leftMs = endMs - clock.now();
    if (leftMs <= 0) return undefined;
    await clock.sleep(Math.min(pauseMs, leftMs), signal);
    present = (await findDelivery(delivery, watch)) ?? present;
  }
  return present;
}

function wasTried({ attempts, status }: Delivery): boolean {
  return status !== 'pending' || attempts?.length > 0;
}

/** The API has no endpoint for one delivery; it is among the few created since. */
async function findDelivery(
  { id, created_at }: Delivery,
  { webhooks, webhookId }: Watch,
): Promise<Delivery | undefined> {
  for await (const { rows } of webhooks.deliveries(webhookId, { created_from: created_at })) {
    const found = rows.find((row) => row.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A delivery with its number of attempts and last response; all other members are kept. */
export function toDeliveryRow(delivery: Delivery): Row {
  const { attempts } = delivery;
  const last = attempts?.at(-1);
  return {
    ...delivery,
    tries: attempts?.length ?? null,
    last_answer: last === undefined ? null : String(last.status_code ?? last.error),
  };
}

export async function* toDeliveryPages(pages: PagedList<Delivery>): AsyncGenerator<RecordPage> {
  for await (const page of pages) yield { ...page, rows: page.rows.map(toDeliveryRow) };
}

import { SalonError } from '../../../contract/errors.ts';
import type { Snapshot } from '../engine.ts';
import type { CollectionPage, ListPageRequest } from '../pages.ts';

/** A database keeps everything that was overwritten since a snapshot, so it is replaced where that changes nothing. */
const renewAfterMs = 10_000;
const maxAgeMs = 120_000;

/**
 * Opens a snapshot for the pages of one list, which are read one after the other. An old snapshot is replaced by a new
 * one if the list has kept its version. If it has not, `readPage` throws `service_unavailable` two minutes after the start.
 */
export async function openListSnapshot(open: () => Promise<Snapshot>, now: () => Date) {
  let snapshot = await open();
  let openedMs = now().getTime();
  let triedMs = openedMs;
  let version: number | undefined;
  let reading: Promise<unknown> = Promise.resolve();
  return {
    readPage(request: ListPageRequest) {
      const page = readPage(request);
      reading = page.catch(() => {});
      return page;
    },
    /** Waits for the page that is being read. May be called twice. */
    async close() {
      await reading;
      await snapshot.close();
    },
  };

  async function readPage(request: ListPageRequest): Promise<CollectionPage> {
    const nowMs = now().getTime();
    if (nowMs - triedMs > renewAfterMs) {
      triedMs = nowMs;
      const page = await readRenewed(request, nowMs);
      if (page !== undefined) return page;
      if (nowMs - openedMs > maxAgeMs) {
        const message = 'The list changed while it was read, and its snapshot has expired.';
        const hint = 'Continue after the last cursor.';
        throw new SalonError('service_unavailable', message, { hint, retryable: true });
      }
    }
    const page = await snapshot.readPage(request);
    version ??= page.version;
    return page;
  }

  async function readRenewed(request: ListPageRequest, nowMs: number): Promise<CollectionPage | undefined> {
    let stale = await open();
    try {
      const page = await stale.readPage(request);
      if (page.version !== version) return undefined;
      [stale, snapshot] = [snapshot, stale];
      openedMs = nowMs;
      return page;
    } finally {
      await stale.close();
    }
  }
}

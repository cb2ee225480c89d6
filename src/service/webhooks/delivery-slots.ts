import type { DeliveryQueueKey } from '../db/deliveries/delivery-queue.ts';

/** Concurrent deliveries of this process to all webhooks together. */
const maxSlots = 64;
/** Concurrent deliveries of all processes to one webhook. */
const maxPerWebhook = 8;
/** Consecutive failures after which a webhook counts as failing until a delivery succeeds. */
const failingAfter = 3;
/** A failing webhook, and one that this process has never reached, gets one slot. */
const maxPerUnproven = 1;
/** All of these and the slow ones together leave half of the slots to the others. */
const heldBackShare = 1 / 2;

/** How many deliveries to a webhook may start now. */
interface SlotAllocation extends DeliveryQueueKey {
  /** Of all processes together. */
  readonly maxInFlight: number;
  readonly limit: number;
}

export interface AttemptOutcome {
  readonly isDelivered: boolean;
  /** Whether the attempt occupied its slot for long. */
  readonly isSlow: boolean;
}

export interface DeliverySlot {
  /** Frees the slot; the outcome is undefined if it is not known. */
  release(outcome: AttemptOutcome | undefined): void;
}

/** Slots that are left, of all and of those for webhooks that are held back. */
interface Room {
  free: number;
  heldBack: number;
}

/**
 * Creates the slots. The database holds the queue, so this only decides how many deliveries to claim for whom. Without it
 * a receiver that times out holds all slots for 15 seconds, and events to others are late. Slots are allocated
 * round-robin, first among accounts, then among the webhooks of each, so that neither an account nor a webhook with
 * thousands of deliveries or a slow receiver delays the others.
 */
export function createDeliverySlots() {
  const taken = new Set<DeliveryQueueKey>();
  const failures = new Map<string, number>();
  const reached = new Set<string>();
  const slow = new Set<string>();
  const lastWebhooks = new Map<string, string>();
  let lastAccount = '';

  const isFailing = (webhookId: string) => (failures.get(webhookId) ?? 0) >= failingAfter;
  const isUnproven = (webhookId: string) => isFailing(webhookId) || !reached.has(webhookId);
  const isHeldBack = (webhookId: string) => isUnproven(webhookId) || slow.has(webhookId);

  function toRoom(most: number, held: readonly DeliveryQueueKey[]): Room {
    const heldBack = held.filter(({ webhookId }) => isHeldBack(webhookId)).length;
    return { free: most - held.length, heldBack: Math.max(1, Math.floor(most * heldBackShare)) - heldBack };
  }

  /** Divides the free slots among webhooks that have deliveries due. */
  function allocate(queues: readonly DeliveryQueueKey[]): SlotAllocation[] {
    const byAccount = Map.groupBy(queues, ({ accountId }) => accountId);
    for (const accountId of lastWebhooks.keys()) {
      if (!byAccount.has(accountId)) lastWebhooks.delete(accountId);
    }
    const room = toRoom(maxSlots, [...taken]);
    // One more share than accounts stays free for the next account.
    const share = Math.max(1, Math.floor(maxSlots / (byAccount.size + 1)));
    const allocations: SlotAllocation[] = [];
    for (const accountId of startAfter(lastAccount, [...byAccount.keys()])) {
      const held = [...taken].filter((key) => key.accountId === accountId);
      const rooms = [room, toRoom(share, held)];
      const webhookIds = (byAccount.get(accountId) ?? []).map(({ webhookId }) => webhookId);
      for (const webhookId of startAfter(lastWebhooks.get(accountId) ?? '', webhookIds)) {
        const limit = allocateTo(webhookId, rooms);
        if (limit <= 0) continue;
        const maxInFlight = isFailing(webhookId) ? maxPerUnproven : maxPerWebhook;
        allocations.push({ accountId, webhookId, maxInFlight, limit });
        lastWebhooks.set(accountId, webhookId);
        lastAccount = accountId;
      }
    }
    return allocations;
  }

  function allocateTo(webhookId: string, rooms: readonly Room[]): number {
    const held = [...taken].filter((key) => key.webhookId === webhookId).length;
    const ofWebhook = (isUnproven(webhookId) ? maxPerUnproven : maxPerWebhook) - held;
    const isLimited = isHeldBack(webhookId);
    const left = rooms.map(({ free, heldBack }) => (isLimited ? Math.min(free, heldBack) : free));
    const limit = Math.max(0, Math.min(ofWebhook, ...left));
    for (const room of rooms) {
      room.free -= limit;
      if (isLimited) room.heldBack -= limit;
    }
    return limit;
  }

  function take({ accountId, webhookId }: DeliveryQueueKey): DeliverySlot {
    const slot = { accountId, webhookId };
    taken.add(slot);
    return {
      release(outcome) {
        taken.delete(slot);
        if (outcome === undefined) return;
        if (outcome.isDelivered) {
          reached.add(webhookId);
          failures.delete(webhookId);
        } else {
          failures.set(webhookId, (failures.get(webhookId) ?? 0) + 1);
        }
        if (outcome.isSlow) slow.add(webhookId);
        else slow.delete(webhookId);
      },
    };
  }

  return { allocate, take };
}

/** Texts in their order, starting after the one served last. */
function startAfter(lastServed: string, ids: readonly string[]): string[] {
  const ordered = ids.toSorted();
  const start = ordered.findIndex((id) => id > lastServed);
  return start <= 0 ? ordered : [...ordered.slice(start), ...ordered.slice(0, start)];
}

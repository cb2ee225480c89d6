/** Concurrent deliveries of this process to all webhooks together. */
const maxSlots = 64;
/** Concurrent deliveries of all processes to one webhook. */
const maxPerWebhook = 8;
/** Consecutive failures after which a webhook counts as failing until a delivery succeeds. */
const failingAfter = 3;
/** A failing webhook, and one that this process has never reached, gets one slot. */
const maxPerUnproven = 1;
/** All of these and the slow ones together leave half of the slots to the others. */
const maxHeldBackSlots = maxSlots / 2;

/** How many deliveries to a webhook may start now. */
interface SlotAllocation {
  readonly webhookId: string;
  /** Of all processes together. */
  readonly maxInFlight: number;
  readonly limit: number;
}

export interface AttemptOutcome {
  readonly isDelivered: boolean;
  /** Whether the attempt occupied its slot for long. */
  readonly isSlow: boolean;
}

interface DeliverySlot {
  /** Frees the slot; the outcome is undefined if it is not known. */
  release(outcome: AttemptOutcome | undefined): void;
}

interface DeliverySlots {
  /** Divides the free slots among webhooks that have deliveries due. */
  allocate(webhookIds: readonly string[]): SlotAllocation[];
  take(webhookId: string): DeliverySlot;
}

/** Creates the slots. They are allocated round-robin, so that a webhook with thousands of deliveries delays no other. */
export function createDeliverySlots(): DeliverySlots {
  const taken = new Map<string, number>();
  const failures = new Map<string, number>();
  const reached = new Set<string>();
  const slow = new Set<string>();
  let lastServed = '';

  const isFailing = (webhookId: string) => (failures.get(webhookId) ?? 0) >= failingAfter;
  const isUnproven = (webhookId: string) => isFailing(webhookId) || !reached.has(webhookId);
  const isHeldBack = (webhookId: string) => isUnproven(webhookId) || slow.has(webhookId);

  function allocate(webhookIds: readonly string[]): SlotAllocation[] {
    const all = [...taken];
    let free = maxSlots - sum(all);
    let freeHeldBack = Math.min(free, maxHeldBackSlots - sum(all.filter(([id]) => isHeldBack(id))));
    const allocations: SlotAllocation[] = [];
    for (const webhookId of startAfter(lastServed, webhookIds)) {
      const maxInFlight = isFailing(webhookId) ? maxPerUnproven : maxPerWebhook;
      const maxHere = isUnproven(webhookId) ? maxPerUnproven : maxPerWebhook;
      const available = isHeldBack(webhookId) ? Math.min(free, freeHeldBack) : free;
      const limit = Math.min(available, maxHere - (taken.get(webhookId) ?? 0));
      if (limit <= 0) continue;
      allocations.push({ webhookId, maxInFlight, limit });
      free -= limit;
      if (isHeldBack(webhookId)) freeHeldBack -= limit;
      lastServed = webhookId;
    }
    return allocations;
  }

  function take(webhookId: string): DeliverySlot {
    taken.set(webhookId, (taken.get(webhookId) ?? 0) + 1);
    return {
      release(outcome) {
        const left = (taken.get(webhookId) ?? 0) - 1;
        if (left > 0) taken.set(webhookId, left);
        else taken.delete(webhookId);
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

/** The webhooks in the order of their IDs, starting after the one served last. */
function startAfter(lastServed: string, webhookIds: readonly string[]): string[] {
  const ordered = webhookIds.toSorted();
  const start = ordered.findIndex((id) => id > lastServed);
  return start <= 0 ? ordered : [...ordered.slice(start), ...ordered.slice(0, start)];
}

function sum(taken: readonly (readonly [string, number])[]): number {
  return taken.reduce((total, [, count]) => total + count, 0);
}

/** Deliveries under way in this process, of all webhooks together. */
const mostLanes = 64;
/** Of one webhook, in all processes. */
const mostOfOne = 8;
/** A webhook that failed this often in a row is known to fail, until something reaches it. */
const fewestFailures = 3;
/** One that is known to fail tries one delivery at a time; so does one that this process has never reached. */
const mostOfUnproven = 1;
/** All of these, and those that were slow the last time, leave half of the room to the others. */
const mostLanesHeldBack = mostLanes / 2;

/** What a webhook may take in its turn. */
export interface SlotShare {
  readonly webhookId: string;
  readonly maxInFlight: number;
  readonly limit: number;
}

/** What came of a delivery. */
export interface AttemptOutcome {
  readonly isDelivered: boolean;
  /** Whether it held its lane for long. */
  readonly isSlow: boolean;
}

export interface DeliverySlot {
  /** Tells what came of it; undefined where that is not known. */
  leave(outcome: AttemptOutcome | undefined): void;
}

/** The room for deliveries under way, and how it is shared. */
export interface DeliverySlots {
  /** Whose turn it is among webhooks to which something is due, and how much each may take. */
  share(webhookIds: readonly string[]): SlotShare[];
  enter(webhookId: string): DeliverySlot;
}

/** Every webhook gets a turn before one gets its second, so that one with thousands of deliveries starves nobody. */
export function createDeliverySlots(): DeliverySlots {
  const taken = new Map<string, number>();
  const failures = new Map<string, number>();
  const reached = new Set<string>();
  const slow = new Set<string>();
  let lastServed = '';

  const isFailing = (webhookId: string) => (failures.get(webhookId) ?? 0) >= fewestFailures;
  const isUnproven = (webhookId: string) => isFailing(webhookId) || !reached.has(webhookId);
  const isHeldBack = (webhookId: string) => isUnproven(webhookId) || slow.has(webhookId);

  function share(webhookIds: readonly string[]): SlotShare[] {
    const all = [...taken];
    let room = mostLanes - sum(all);
    let roomHeldBack = Math.min(room, mostLanesHeldBack - sum(all.filter(([id]) => isHeldBack(id))));
    const turns: SlotShare[] = [];
    for (const webhookId of inTurn(webhookIds, lastServed)) {
      const maxInFlight = isFailing(webhookId) ? mostOfUnproven : mostOfOne;
      const mostHere = isUnproven(webhookId) ? mostOfUnproven : mostOfOne;
      const left = isHeldBack(webhookId) ? Math.min(room, roomHeldBack) : room;
      const most = Math.min(left, mostHere - (taken.get(webhookId) ?? 0));
      if (most <= 0) continue;
      turns.push({ webhookId, maxInFlight, limit: most });
      room -= most;
      if (isHeldBack(webhookId)) roomHeldBack -= most;
      lastServed = webhookId;
    }
    return turns;
  }

  function enter(webhookId: string): DeliverySlot {
    taken.set(webhookId, (taken.get(webhookId) ?? 0) + 1);
    return {
      leave(outcome) {
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

  return { share, enter };
}

/** Those behind the one served last come first. */
function inTurn(webhookIds: readonly string[], lastServed: string): string[] {
  const ordered = webhookIds.toSorted();
  const behind = ordered.findIndex((id) => id > lastServed);
  return behind <= 0 ? ordered : [...ordered.slice(behind), ...ordered.slice(0, behind)];
}

function sum(taken: readonly (readonly [string, number])[]): number {
  return taken.reduce((total, [, count]) => total + count, 0);
}

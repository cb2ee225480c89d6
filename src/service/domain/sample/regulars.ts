import { dayMs } from '../../../contract/time.ts';
import { knownClients } from './names.ts';
import type { SeededRandom } from './random.ts';

export interface RegularsOptions {
  readonly clients: number;
  readonly stylists: number;
  /** When the first client was added. */
  readonly openedMs: number;
  readonly todayMs: number;
}

interface BookedVisit {
  readonly startMs: number;
  readonly createdMs: number;
  readonly stylist: number;
}

/** Who joins when, and who comes back: some come once, some stop coming after a while, the others stay. */
export interface Regulars {
  /** When a client was added. Rises with the index. */
  joinedMs(client: number): number;
  /** The index of a client for a visit, mostly one whose usual stylist it is. */
  pick(random: SeededRandom, visit: BookedVisit): number;
}

/** Half of the clients are there from the start. */
const startShare = 0.5;
/** The part of the time in which they are entered. */
const startSpan = 0.02;
const tries = 12;

export function createRegulars({ clients, stylists, openedMs, todayMs }: RegularsOptions): Regulars {
  const spanMs = todayMs - openedMs;

  function joinedMs(client: number): number {
    const share = client / clients;
    const after = (share - startShare) / (1 - startShare);
    const elapsed =
      share < startShare ? (share / startShare) * startSpan : startSpan + after * (1 - startSpan);
    return Math.floor(openedMs + spanMs * elapsed);
  }

  /** How many clients exist at a time; at least one. */
  function countKnown(atMs: number): number {
    const elapsed = (atMs - openedMs) / spanMs;
    const after = (elapsed - startSpan) / (1 - startSpan);
    const share =
      elapsed < startSpan ? (elapsed / startSpan) * startShare : startShare + after * (1 - startShare);
    return Math.max(1, Math.min(clients, Math.ceil(share * clients)));
  }

  return {
    joinedMs,
    pick(random, { startMs, createdMs, stylist }) {
      const known = countKnown(createdMs);
      // The first client has no upcoming appointments, so that examples can book one.
      const first = startMs > todayMs && known > 1 ? 1 : 0;
      let client = first;
      for (let attempt = 0; attempt < tries; attempt++) {
        const picked = first + random.below(known - first);
        const usual = picked - (picked % stylists) + stylist;
        const isUsual = attempt < tries / 2 && usual >= first && usual < known;
        client = isUsual ? usual : picked;
        if (startMs - joinedMs(client) <= stayMs(client)) break;
      }
      return client;
    },
  };
}

/** How long a client keeps coming. */
function stayMs(client: number): number {
  const draw = Math.imul(client + 1, 0x9e3779b1) >>> 0;
  const share = draw / 2 ** 32;
  if (client < knownClients.length || share > 0.45) return Number.POSITIVE_INFINITY;
  return (share < 0.18 ? 45 : 60 + (draw % 400)) * dayMs;
}

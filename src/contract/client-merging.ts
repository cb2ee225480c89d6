import type { XStatic } from 'typebox/schema';
import { isSameJson } from '../text/json.ts';
import { foldText } from '../text/search-text.ts';
import { isSameBirthday } from '../time/birthdays.ts';
import { client, clientChange } from './client.ts';
import { type Endpoint, post } from './endpoint.ts';
import { idSchema } from './identifiers.ts';
import { bodyOf, idInput, instantSchema, objectOf, recordOf } from './schemas.ts';

/** How long a merge can be reversed. Until then the merged client is archived, and afterwards erased. */
export const mergeReversibleDays = 30;

const newMerge = bodyOf(
  { title: 'NewMerge', required: ['from'] },
  {
    from: {
      ...idInput,
      description:
        'The client whose appointments, payments and places on the waiting list move, and who is archived.',
    },
    fields: {
      ...clientChange,
      description: 'Fields of the merged record. The others are combined by the documented rules.',
    },
    from_if_match: {
      type: 'string',
      maxLength: 1000,
      description: 'The entity tag that `from` must still have, as `If-Match` is for the client in the path.',
    },
  },
);

const reversal = bodyOf(
  { title: 'MergeReversal' },
  { from: { ...idInput, description: 'The merged client to restore; by default the one merged last.' } },
);

const moved = objectOf({
  appointments: { type: 'integer', minimum: 0 },
  payments: { type: 'integer', minimum: 0 },
  waitlist_entries: { type: 'integer', minimum: 0 },
});

const merged = { id: idSchema('client'), from: idSchema('client'), client, moved } as const;

const clientMerge = recordOf('ClientMerge', { ...merged, reversible_until: instantSchema });

const reversedMerge = recordOf('ReversedMerge', {
  ...merged,
  kept_fields: {
    type: 'array',
    items: { type: 'string' },
    description: 'Fields that were changed after the merge and keep their value.',
  },
});

export type ClientMerge = XStatic<typeof clientMerge>;
export type ReversedMerge = XStatic<typeof reversedMerge>;

export const clientMergeEndpoints = {
  mergeClients: post('/clients/:id/merge', clientMerge, {
    summary: 'Merge another client into this one',
    action: 'clients.delete',
    isTagged: true,
    body: newMerge,
  }),
  unmergeClients: post('/clients/:id/unmerge', reversedMerge, {
    summary: 'Reverse a merge into this client',
    action: 'clients.delete',
    isTagged: true,
    body: reversal,
    isBodyOptional: true,
  }),
} as const satisfies Record<string, Endpoint>;

/** The fields of a record of any server. */
type Fields = Readonly<Record<string, unknown>>;

/** How a field of two records becomes one. */
type CombinationRule =
  /** Both have the same value, or the other one has none. */
  | 'kept'
  /** Only the other record has a value. */
  | 'filled in'
  /** Both have values, and the first record wins. */
  | 'first wins'
  | 'united'
  | 'joined'
  /** A consent needs both. */
  | 'stricter'
  /** The caller has decided. */
  | 'chosen';

export interface CombinedField {
  readonly field: string;
  readonly kept: unknown;
  readonly other: unknown;
  readonly result: unknown;
  readonly rule: CombinationRule;
}

/**
 * Combines the fields of a client and of the one that is merged into it. Names and contact details of the first win and
 * are filled in from the other, notes are joined, tags united, and a consent needs both. `leaveOut` names fields that
 * belong to a record and not to the person, such as its ID.
 */
export function combineClients(kept: Fields, other: Fields, leaveOut: readonly string[]): CombinedField[] {
  const names = new Set([...Object.keys(kept), ...Object.keys(other)]);
  return [...names]
    .filter((field) => !leaveOut.includes(field))
    .map((field) => combineField(field, kept[field] ?? null, other[field] ?? null));
}

function combineField(field: string, kept: unknown, other: unknown): CombinedField {
  const combined = { field, kept, other };
  if (isSameJson(kept, other)) return { ...combined, result: kept, rule: 'kept' };
  if (isConsent(field) && (typeof kept === 'boolean' || typeof other === 'boolean')) {
    return { ...combined, result: kept === true && other === true, rule: 'stricter' };
  }
  if (isEmpty(other)) return { ...combined, result: kept, rule: 'kept' };
  if (isEmpty(kept) || completesBirthday(field, kept, other))
    return { ...combined, result: other, rule: 'filled in' };
  if (Array.isArray(kept) && Array.isArray(other)) {
    const added = other.filter((value) => !kept.some((one) => isSameEntry(one, value)));
    return { ...combined, result: [...kept, ...added], rule: added.length === 0 ? 'kept' : 'united' };
  }
  if (field === 'notes' && typeof kept === 'string' && typeof other === 'string') {
    // Whole lines only: "nuts" is not what "Likes doughnuts" says.
    return `\n${kept}\n`.includes(`\n${other.trim()}\n`)
      ? { ...combined, result: kept, rule: 'kept' }
      : { ...combined, result: `${kept.trimEnd()}\n${other.trimStart()}`, rule: 'joined' };
  }
  return { ...combined, result: kept, rule: 'first wins' };
}

/** Case and accents do not make another tag. */
function isSameEntry(one: unknown, other: unknown): boolean {
  const areTexts = typeof one === 'string' && typeof other === 'string';
  return areTexts ? foldText(one) === foldText(other) : isSameJson(one, other);
}

/** Under the names of this contract and of other servers. */
function isConsent(field: string): boolean {
  return /consent|opt_?in|subscribed|accepts_?marketing/i.test(field);
}

/** Whether the other one has the year of a birthday, too. */
function completesBirthday(field: string, kept: unknown, other: unknown): boolean {
  const [day, whole] = [String(kept), String(other)];
  return field === 'birthday' && day.startsWith('--') && isSameBirthday(day, whole);
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

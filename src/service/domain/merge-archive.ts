import { type Client, readOnlyClientFields } from '../../contract/client.ts';
import { combineClients } from '../../contract/client-merging.ts';
import { isSameJson } from '../../text/json.ts';
import { findClientViolations } from './clients.ts';

/** What reverses a merge. */
export interface MergeArchive {
  readonly from: Client;
  /** The position of `from` in creation order. */
  readonly seq: number;
  /** The client that stays, before and after the merge. */
  readonly before: Client;
  readonly after: Client;
  /** IDs of the records that moved. */
  readonly appointments: readonly string[];
  readonly payments: readonly string[];
  /** Missing in those of the release before. */
  readonly waitlist?: readonly string[];
}

const identity = ['first_name', 'last_name', 'email', 'phone'] as const;

/** A field without what a merge brought: now, and before and after each later merge. */
interface FieldReset {
  readonly name: keyof Client;
  readonly value: unknown;
  readonly later: readonly { readonly before: unknown; readonly after: unknown }[];
  /** Whether somebody has chosen its value in a later merge. */
  readonly isChosen: boolean;
}

/** The fields that the first of the merges changed and that are still as the last one left them, and those changed since. */
export function resetFields(
  current: Client,
  [merge, ...later]: readonly [MergeArchive, ...MergeArchive[]],
  now: Date,
): { resets: FieldReset[]; kept: string[] } {
  const { before, after } = merge;
  const names = (Object.keys(after) as (keyof Client)[]).filter(
    (name) => !readOnlyClientFields.some((other) => other === name) && !isSameJson(before[name], after[name]),
  );
  const toKept = (chosen: readonly FieldReset[]) =>
    names.filter((one) => !chosen.some(({ name, isChosen }) => name === one && !isChosen));
  const resets = names.flatMap((name) => resetField(current, merge, { name, later }) ?? []);
  // Somebody may have cleared the only contact that the client had before the merge.
  const fields = Object.fromEntries(resets.map(({ name, value }) => [name, value]));
  const isValid =
    findClientViolations({ ...current, ...fields }, now.toISOString().slice(0, 10)).length === 0;
  const possible = isValid ? resets : resets.filter(({ name }) => !identity.some((one) => one === name));
  return { resets: possible, kept: toKept(possible) };
}

/** Undefined for a field that was changed between the merges or since. */
function resetField(
  current: Client,
  merge: MergeArchive,
  { name, later: archives }: { name: keyof Client; later: readonly MergeArchive[] },
): FieldReset | undefined {
  let [was, value]: unknown[] = [merge.after[name], merge.before[name]];
  let isChosen = false;
  const later: { before: unknown; after: unknown }[] = [];
  for (const { from, before, after } of archives) {
    if (!isSameJson(before[name], was)) return undefined;
    const combine = (kept: unknown) =>
      combineClients({ [name]: kept }, { [name]: from[name] }, [])[0]?.result;
    isChosen = !isSameJson(combine(was), after[name]);
    later.push({ before: value, after: isChosen ? after[name] : combine(value) });
    [was, value] = [after[name], later.at(-1)?.after];
    if (isChosen) break;
  }
  if (isChosen) return { name, value: current[name], later, isChosen };
  return isSameJson(current[name], was) ? { name, value, later, isChosen } : undefined;
}

/** The archive of a later merge, as if the reversed one had never been. */
export function toRebased(archive: MergeArchive, resets: readonly FieldReset[], index: number): MergeArchive {
  const select = (side: 'before' | 'after') =>
    Object.fromEntries(
      resets.flatMap(({ name, later }) => (index in later ? [[name, later[index]?.[side]]] : [])),
    );
  const [before, after] = [select('before'), select('after')];
  return { ...archive, before: { ...archive.before, ...before }, after: { ...archive.after, ...after } };
}

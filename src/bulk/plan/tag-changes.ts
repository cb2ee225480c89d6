import { type Fields, toTags } from '../../client/fields.ts';
import { SalonError } from '../../contract/errors.ts';
import { foldText } from '../../contract/search-text.ts';
import { fieldsOf } from '../input/edit-fields.ts';
import { findValueProblem } from '../input/validate-value.ts';

/** Tags to add to a client's own and to remove from them. Case and accents do not make another tag. */
export interface TagChanges {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
}

export function changesTags({ addTags = [], removeTags = [] }: TagChanges): boolean {
  return addTags.length + removeTags.length > 0;
}

/** Throws `usage` for a tag that cannot be one, that is both added and removed, or if `set` has tags, too. */
export function assertTagChanges({ addTags = [], removeTags = [] }: TagChanges, set: Fields): void {
  if (Object.hasOwn(set, 'tags')) {
    throw new SalonError('usage', 'Tags can be set, or added and removed, not both.');
  }
  const removed = new Set(removeTags.map(foldText));
  const both = addTags.find((tag) => removed.has(foldText(tag)));
  if (both !== undefined) throw new SalonError('usage', `The tag ${both} cannot be both added and removed.`);
  const schema = fieldsOf('clients').get('tags')?.items;
  for (const tag of [...addTags, ...removeTags]) {
    const problem = tag.trim() === '' ? 'Must not be blank.' : findValueProblem(tag, schema);
    if (problem !== undefined) throw new SalonError('usage', `"${tag}" cannot be a tag. ${problem}`);
  }
}

/** A client's tags after the changes, the others in their order; the same list if nothing changes. */
export function applyTagChanges(
  { tags }: Fields,
  { addTags = [], removeTags = [] }: TagChanges,
): readonly string[] {
  const current = toTags(tags ?? null);
  if (current === undefined) {
    throw new SalonError('not_supported', 'The tags of clients on this server are not a list of texts.', {
      hint: 'Set them with --set tags:=… instead.',
    });
  }
  const removed = new Set(removeTags.map(foldText));
  const kept = current.filter((tag) => !removed.has(foldText(tag)));
  const known = new Set(kept.map(foldText));
  const added = addTags.filter((tag) => known.size < known.add(foldText(tag)).size).map((tag) => tag.trim());
  return added.length === 0 && kept.length === current.length ? current : [...kept, ...added];
}

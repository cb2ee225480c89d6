import type { SalonClient } from '../../client/client.ts';
import { type Dialect, pagingParts } from '../../client/dialect/dialect.ts';
import type { RecognisedCollection } from '../../client/recognise/recognise-server.ts';
import { toSettingName } from '../../settings.ts';
import { placeOf } from '../session/sign-in.ts';
import { attempt, type Check, passed, warned } from './check-result.ts';

/**
 * Whether the lists of a server of another kind are still paged as its dialect declares: finds out again, and stores
 * nothing. Undefined for the documented API.
 */
export async function checkLists(client: SalonClient, root: string): Promise<Check | undefined> {
  if (!client.isForeign) return undefined;
  return attempt('lists', async () => {
    const { recogniseServer } = await import('../../client/recognise/recognise-server.ts');
    const place = placeOf(client.dialect());
    const found = await recogniseServer(client, { root, place, declared: client.dialect });
    const differing = (found?.collections ?? []).flatMap((one) =>
      findDifferences(one, client.dialect(one.plural)),
    );
    if (differing.length === 0) return passed('lists', 'Its lists are paged as the dialect says');
    const message = `Its lists differ from the dialect: ${differing.join('; ')}`;
    return warned('lists', message, {
      hint: 'If that is right: salon profiles detect',
      details: { differing },
    });
  });
}

function findDifferences({ plural, found }: RecognisedCollection, declared: Dialect): readonly string[] {
  if (found.kind === 'unclear')
    return ['none', 'unknown', 'link'].includes(declared.paging)
      ? []
      : [`nothing shows that ${plural} are paged by ${declared.paging}`];
  if (found.kind !== 'recognised') return [];
  const { list } = found;
  // Links are followed in every style.
  if (list.paging === undefined || list.paging === 'unknown' || list.paging === 'link') return [];
  return pagingParts.flatMap((part) => {
    if (!(part in list) || list[part] === declared[part]) return [];
    return [
      `${toSettingName(part)} of ${plural} is ${list[part] ?? 'none'}, not ${declared[part] ?? 'none'}`,
    ];
  });
}

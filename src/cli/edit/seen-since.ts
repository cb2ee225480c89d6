import type { Plan } from '../../bulk/plan/plan-file.ts';
import type { PlannedRow } from '../../bulk/plan/planned-row.ts';
import { readVisits } from '../../client/selection/visits.ts';
import { parseAgo } from '../flags/spans.ts';
import type { CommandContext } from '../session/command-context.ts';

const flag = '--not-seen-since';

/** The rows of a plan. Of one for clients who have not come, those who have come by now are refused. */
export async function* refuseSeen(
  { head, rows }: Plan,
  { io, client, session }: CommandContext,
): AsyncGenerator<PlannedRow> {
  const { name, isCondition = false } = head.source;
  const [, quoted, word] = /(?:^| )--not-seen-since (?:"([^"]*)"|(\S+))/.exec(name) ?? [];
  const since = quoted ?? word;
  if (!isCondition || since === undefined) return yield* rows();
  const timeZone = (await session()).settings.timeZone.value;
  const from = parseAgo(since, flag, { now: new Date(head.createdAt), timeZone });
  using visits = await readVisits(await client(), { from, to: io.now().toISOString(), consistent: true });
  const refusal = { code: 'changed_since', reason: 'Has come since the plan was made.' } as const;
  for await (const row of rows()) {
    const isSeen = row.act !== 'none' && visits.latest(row.id) !== undefined;
    yield isSeen ? { ...row, act: 'refused', refusal } : row;
  }
}

import { blockLevels, fanOut } from '../row-counts.ts';

/**
 * Finds an offset of a list in creation order, as a subquery: a position, and how many rows to skip after it, at most
 * 31. It goes down the levels of the row-count index and reads one range of blocks on each. `list` is a row of
 * `collections`, and `offset` an expression.
 */
export function renderSeek(list: string, offset: string): string {
  const levels = [...blockLevels].reverse();
  const top = `(select 0::bigint as first, (${list}.last_seq - 1) / ${fanOut ** Math.max(...blockLevels)} as last,
      ${offset} as rest) as below_${levels.length + 1}`;
  const steps = levels.map((level) => renderStep(list, level));
  return `(select below_1.first as seq, below_1.rest as skipped
    from ${[top, ...steps].join('\n    cross join lateral ')})`;
}

/** The block of one level with the offset, as the range of blocks below it. Blocks without rows may be missing. */
function renderStep(list: string, level: number): string {
  const above = `below_${level + 1}`;
  return `(select block * ${fanOut} as first, block * ${fanOut} + ${fanOut - 1} as last,
        ${above}.rest - upto + live as rest
      from (select block, live, sum(live::integer) over (order by block) as upto from blocks
        where account_id = ${list}.account_id and collection = ${list}.name and level = ${level}
          and block between ${above}.first and ${above}.last) as counted
      where upto > ${above}.rest order by block limit 1) as below_${level}`;
}

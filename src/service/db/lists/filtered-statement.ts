import { changesOf } from './changes.ts';
import { type Condition, renderCondition, type Values } from './conditions.ts';
import { type Count, toColumn } from './count-statement.ts';
import type { Order, PageRequest, SortColumn, Statement } from './page-request.ts';
import { renderBehind, renderPage } from './page-rows.ts';
import { toPageValues } from './page-statement.ts';

/** How the rows of a page are come by. */
interface Way {
  /** The column whose index they are found by; the order's own where it is left out. */
  readonly by: string | undefined;
  /** Whether they are met in the list's order. If not, all of them are found first and ordered then. */
  readonly isOrdered: boolean;
}

/**
 * The statement that reads a page of what a filter lets through, how much that is, and the version, all of one
 * moment. The count that is known follows what has changed since.
 */
export function toFilteredStatement(request: PageRequest, known: Count): Statement {
  const { collection, conditions, from, order } = request;
  const values: Values = {
    ...toPageValues(request),
    known: known.total,
    since: known.version,
    least: known.least,
    most: known.most,
  };
  const rendered = conditions.map((condition) => renderCondition(condition, values));
  const way = chooseWay(request, known);
  const branches = toBranches({ conditions, rendered, values, way });
  const source = `${collection} ${renderIndex(request, way)} where account_id = :accountId`;
  const start = renderStart(request, way);
  const rows = branches.map(
    (matching) => `select seq, ${order.column} as value, record from ${source} and ${matching} and ${start}`,
  );
  const behindPage = renderBehind(order, { value: 'page.last_value', seq: 'page.last_seq' });
  const follows = branches.map(
    (matching) =>
      `exists (select 1 from ${source} and ${matching} and ${behindPage} and ${renderFarEnd(request, way)})`,
  );
  const isSkipping = 'offset' in from && from.offset > 0;
  const text = `
    with reach as materialized (${renderReach(request, rendered)}),
    page as ${renderPage(order, { rows: rows.join(' union all '), isSkipping })}
    select head.version, case when head.changes_since <= :since then reach.total end as total,
      reach.least, reach.most, page.* ${'after' in from ? `, ${follows.join(' or ')} as more` : ''}
    from collections as head, reach, page
    where head.account_id = :accountId and head.name = :collection`;
  return { text, values };
}

/** How many match and between which ends of the order: what was known, and what has changed since. */
function renderReach({ collection, order }: PageRequest, rendered: readonly string[]): string {
  const widen = (end: 'least' | 'most', choose: 'min' | 'max') =>
    `coalesce(${choose}(:${end}, ${choose}(${order.column})), :${end}, ${choose}(${order.column})) as ${end}`;
  return `
    select :known + coalesce(sum(gain), 0) as total, ${widen('least', 'min')}, ${widen('most', 'max')}
    from ${changesOf(collection).table}
    where account_id = :accountId and ${rendered.join(' and ')} and version > :since`;
}

/** Indexes that hold the records with one value of a column in an order. */
const orderedBy: Readonly<Partial<Record<SortColumn, readonly string[]>>> = {
  seq: ['client_id', 'appointment_id', 'stylist_id', 'status', 'email', 'phone_digits'],
  start_ms: ['stylist_id'],
};

/**
 * Few records are found first and ordered then; many are met soon enough on the way along the order. Chooses
 * the way on which the fewest records are looked at, as far as can be told.
 */
function chooseWay({ order, limit }: PageRequest, known: Count): Way {
  const { through, outOf, total } = known;
  const stepsToMatch = limit / Math.max(1, total);
  const inOrder = (through[order.column] ?? outOf) * stepsToMatch;
  const ways = [{ by: undefined as string | undefined, isOrdered: true, looks: inOrder }];
  for (const [by, count] of Object.entries(through)) {
    const looks = Math.max(count, total);
    ways.push({ by, isOrdered: false, looks });
    if (orderedBy[order.column]?.includes(by)) {
      ways.push({ by, isOrdered: true, looks: looks * stepsToMatch });
    }
  }
  return ways.reduce((best, way) => (way.looks < best.looks ? way : best));
}

/** Left to itself, SQLite takes whichever index has the most conditions, however little they say. */
function renderIndex({ collection, order }: PageRequest, { by, isOrdered }: Way): string {
  if (by === undefined) {
    return '';
  }
  const columns = isOrdered && order.column !== 'seq' ? [by, order.column, 'seq'] : [by, 'seq'];
  return `indexed by ${[collection, ...columns].join('_')}`;
}

/**
 * What rows must fulfil; a plus keeps indexes out of use. One of several values is split where the order
 * counts: an index has records in order for one value at a time.
 */
function toBranches(parts: {
  conditions: readonly Condition[];
  rendered: readonly string[];
  values: Values;
  way: Way;
}): string[] {
  const { conditions, rendered, values, way } = parts;
  const marked = rendered.map((text, index) =>
    way.by !== undefined && toColumn(conditions[index]) === way.by ? text : `+${text}`,
  );
  const at = conditions.findIndex((one) => 'isOneOf' in one && one.column === way.by);
  const choice = conditions[at];
  if (!way.isOrdered || choice === undefined || !('isOneOf' in choice)) {
    return [marked.join(' and ')];
  }
  return choice.isOneOf.map((value) => {
    const one = renderCondition({ column: choice.column, is: '=', value }, values);
    return marked.with(at, one).join(' and ');
  });
}

/** Where the page begins and the matching records end, as conditions on its rows. */
function renderStart(request: PageRequest, way: Way): string {
  const { from, order } = request;
  const begin =
    'after' in from
      ? renderBehind(order, { value: ':value', seq: ':seq' })
      : renderEnd(order.descending ? 'most' : 'least', { order, way });
  return `${begin} and ${renderFarEnd(request, way)}`;
}

function renderFarEnd({ order }: PageRequest, way: Way): string {
  return renderEnd(order.descending ? 'least' : 'most', { order, way });
}

/** Rows found in order need not be looked for outside of where they are known to stand. */
function renderEnd(end: 'least' | 'most', { order, way }: { order: Order; way: Way }): string {
  return way.isOrdered
    ? `${order.column} ${end === 'least' ? '>=' : '<='} (select ${end} from reach)`
    : 'true';
}

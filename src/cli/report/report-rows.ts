import type { Grouping } from './choices.ts';
import { type TimeGroups, toGroupKey } from './groups.ts';
import { renderShortSpan } from './local-span.ts';
import type { Figure, ReportRow } from './report.ts';
import { type Sums, type TallyRow, zeros } from './tally.ts';

export interface RowOptions<Name extends string> {
  readonly grouping: Grouping;
  readonly groups: TimeGroups;
  readonly names: readonly Name[];
  /** Names of stylists by ID. */
  readonly stylistNames: ReadonlyMap<string, string>;
  /** What the line of records without a key is called; an empty key is that of records without a value. */
  readonly restLabel: string;
  /** The figure that rows are sorted by, largest first. */
  readonly measure: string;
  readonly toFigures: (
    sums: Sums<Name>,
    before: Sums<Name>,
    row: { readonly key: string | null; readonly group: number },
  ) => Readonly<Record<string, Figure>>;
}

/** The rows of a report: in order of time, or the largest first and the rest last. */
export function toReportRows<Name extends string>(
  tallied: readonly TallyRow<Name>[],
  options: RowOptions<Name>,
): readonly ReportRow[] {
  const { grouping } = options;
  const isByTime = grouping !== 'stylist' && grouping !== 'service';
  return isByTime ? toTimeRows(tallied, options) : toNamedRows(tallied, options);
}

/** Every day, week or month, those without records too. */
function toTimeRows<Name extends string>(
  tallied: readonly TallyRow<Name>[],
  { grouping, groups, names, toFigures }: RowOptions<Name>,
): readonly ReportRow[] {
  const currencies = [...new Set(tallied.map(({ currency }) => currency))].sort();
  const shown = currencies.length === 0 ? [undefined] : currencies;
  const cells = new Map(tallied.map((row) => [`${row.currency} ${row.group}`, row]));
  return shown.flatMap((currency) =>
    groups.spans.map((span, group) => {
      const { sums, before } = cells.get(`${currency} ${group}`) ?? {
        sums: zeros(names),
        before: zeros(names),
      };
      return {
        label: renderShortSpan(span),
        keys: { [grouping]: toGroupKey(grouping, span) },
        currency,
        figures: toFigures(sums, before, { key: null, group }),
      };
    }),
  );
}

function toNamedRows<Name extends string>(
  tallied: readonly TallyRow<Name>[],
  { grouping, stylistNames, restLabel, measure, toFigures }: RowOptions<Name>,
): readonly ReportRow[] {
  const rows = tallied.map(({ key, currency, group, sums, before }): ReportRow => {
    const id = key === '' ? null : key;
    const name = id === null || grouping === 'service' ? id : (stylistNames.get(id) ?? null);
    const keys = grouping === 'stylist' ? { stylist_id: id, stylist_name: name } : { service: id };
    const label = name ?? id ?? (key === null ? restLabel : `No ${grouping}`);
    return { label, keys, currency, isRest: id === null, figures: toFigures(sums, before, { key, group }) };
  });
  const size = ({ figures }: ReportRow) => figures[measure] ?? -1;
  return rows.sort(
    (a, b) =>
      compare(a.currency ?? '', b.currency ?? '') ||
      Number(a.isRest) - Number(b.isRest) ||
      compare(size(b), size(a)) ||
      compare(a.label, b.label),
  );
}

function compare<Value extends string | number | bigint>(a: Value, b: Value): number {
  return a < b ? -1 : Number(a > b);
}

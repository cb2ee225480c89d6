import type { Grouping } from './groups.ts';
import type { Period } from './period.ts';

interface Person {
  readonly id: string;
  readonly name: string;
}

/** What a report is asked for. */
export interface ReportQuestion {
  readonly period: Period;
  readonly grouping: Grouping;
  /** All of them if left out. */
  readonly stylists: readonly Person[] | undefined;
  readonly client: Person | undefined;
  /** Statuses to count instead of the usual ones. */
  readonly statuses: readonly string[] | undefined;
}

/** The filters of a list command that finds the records of a question, as a person would type them. */
export function renderFilters({ client, stylists }: Pick<ReportQuestion, 'client' | 'stylists'>): string {
  const [only, another] = stylists ?? [];
  return [
    client === undefined ? '' : ` --client ${client.id}`,
    only === undefined || another !== undefined ? '' : ` --stylist ${only.id}`,
  ].join('');
}

/** Accepts the records of the stylists asked for. */
export function createStylistFilter({ stylists }: ReportQuestion): (id: string) => boolean {
  if (stylists === undefined) return () => true;
  const wanted = new Set(stylists.map(({ id }) => id));
  return (id) => wanted.has(id);
}

import type { Written } from '../../client/resources/record.ts';
import type { ColumnSet, Row } from './columns.ts';
import type { CommandResult } from './command-result.ts';

export interface WrittenWords {
  /** What happened, with the record's identifier put behind it: "Added client". */
  readonly done: string;
  readonly columns: ColumnSet;
}

/** What a write comes to for people and programs: the record, or that the service only accepted it. */
export function toOutcome(written: Written<object>, { done, columns }: WrittenWords): CommandResult {
  const { outcome, id, record } = written;
  const name = id === undefined ? '' : ` ${id}`;
  if (outcome === 'accepted') {
    const said = `The service accepted it${name === '' ? '' : ` as${name}`}, and has not said that it is done.`;
    return { show: 'record', record: { id: id ?? null, accepted: true }, said };
  }
  return {
    show: 'record',
    record: { ...(record ?? { id: id ?? null }) } as Row,
    columns,
    said: `${done}${name}.`,
  };
}

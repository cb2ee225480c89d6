import { decimalsOf } from '../../contract/numbers.ts';
import { createInstantRenderer } from '../output/instants.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Says in a few words what an event is about. Other services may send anything, which is looked at with care. */
export type DescribeEvent = (event: { readonly type: string; readonly data?: unknown }) => string;

/** Times are those of a zone, which is not in the words. */
export function createEventDescriber(timeZone: string): DescribeEvent {
  const renderInstant = createInstantRenderer(timeZone);
  return ({ type, data }) => {
    const { object, previous_attributes } = toFields(data);
    const [record, former] = [toFields(object), toFields(previous_attributes)];
    const words = describers[type.split('.')[0] ?? '']?.(record, former, renderInstant) ?? [];
    const told = words.filter((word) => word !== '').join(', ');
    return told === '' ? textOf(record['id']) : told;
  };
}

type Describe = (record: Fields, former: Fields, renderInstant: (iso: string) => string) => readonly string[];

const describers: Readonly<Record<string, Describe>> = {
  booking(record, former, renderInstant) {
    const start = renderInstant(textOf(record['start_time']));
    const before = textOf(former['start_time']);
    return [
      textOf(record['service']),
      before === '' ? start : `${start} instead of ${renderInstant(before)}`,
      textOf(record['cancellation_reason']),
    ];
  },
  payment(record) {
    const currency = textOf(record['currency']);
    const refunded = record['refunded_amount'];
    return [
      renderAmount(record['amount'], currency),
      textOf(record['method']).replace('_', ' '),
      typeof refunded === 'number' && refunded > 0 ? `${renderAmount(refunded, currency)} refunded` : '',
    ];
  },
  client(record, former) {
    if (record['deleted'] === true) return [`${textOf(record['id'])} is gone`];
    const name = [record['first_name'], record['last_name']].map(textOf).join(' ').trim();
    const shown = name || textOf(record['email']) || textOf(record['phone']);
    const changed = Object.keys(former);
    return [changed.length === 0 ? shown : `${shown}: ${changed.join(', ')}`];
  },
  webhook: (record) => [`a test of ${textOf(record['id'])}`],
};

function renderAmount(amount: unknown, currency: string): string {
  if (typeof amount !== 'number') return '';
  const decimals = decimalsOf(currency);
  const text = decimals === undefined ? String(amount) : (amount / 10 ** decimals).toFixed(decimals);
  return `${text} ${currency}`.trim();
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

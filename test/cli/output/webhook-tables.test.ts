import { describe, expect, it } from 'vitest';
import { nouns } from '../../../src/cli/nouns/nouns.ts';
import { chooseColumns } from '../../../src/cli/output/columns.ts';
import { createTableWriter } from '../../../src/cli/output/table.ts';

const webhook = {
  id: 'whk_01k9x7f3q2m4n5p6r7s8t9v0w1',
  url: 'https://till.example.com/salon/hook',
  events: ['booking.*', 'payment.completed'],
  description: 'The till downstairs',
  active: true,
  disabled_reason: null,
};
const gone = { ...webhook, url: 'https://a.example', active: false, disabled_reason: 'gone' };
const paused = { ...gone, disabled_reason: null };

const delivery = {
  id: 'dlv_01k9x7f3q2m4n5p6r7s8t9v0w1',
  event_type: 'booking.rescheduled',
  status: 'pending',
  next_attempt_at: '2026-11-21T12:05:00Z',
  created_at: '2026-11-21T12:00:00Z',
  attempt_count: 2,
  last_response: 'The connection was refused.',
};

function print(
  set: typeof nouns.webhooks.columns,
  rows: readonly object[],
  width: number,
): readonly string[] {
  const columns = chooseColumns(set, { forPeople: true });
  const writer = createTableWriter({ columns, width, color: false, timeZone: 'UTC' });
  return writer
    .rows(rows.map((row) => ({ ...row })))
    .trimEnd()
    .split('\n');
}

describe('a table of webhooks', () => {
  it('shows URL, events and the reason for a disabled one in 120 columns', () => {
    expect(print(nouns.webhooks.columns, [webhook, gone, paused], 120)).toEqual([
      'ID                              URL                          Events                       Active     Description',
      'whk_01k9x7f3q2m4n5p6r7s8t9v0w1  https://till.example.com/s…  booking.*…                   yes        The till downstairs',
      'whk_01k9x7f3q2m4n5p6r7s8t9v0w1  https://a.example            booking.*…                   no (gone)  The till downstairs',
      'whk_01k9x7f3q2m4n5p6r7s8t9v0w1  https://a.example            booking.*…                   no         The till downstairs',
    ]);
  });

  it('keeps whole IDs and more than the host of a URL in 80 columns', () => {
    expect(print(nouns.webhooks.columns, [webhook, gone], 80)).toEqual([
      'ID                              URL                                 Active     …',
      'whk_01k9x7f3q2m4n5p6r7s8t9v0w1  https://till.example.com/salon/ho…  yes',
      'whk_01k9x7f3q2m4n5p6r7s8t9v0w1  https://a.example                   no (gone)',
    ]);
  });
});

describe('a table of deliveries', () => {
  it('shows time, event, status and last response in 80 columns', () => {
    expect(print(nouns.deliveries.columns, [delivery], 80)).toEqual([
      'Created           Event type           Status   Attempts  Last response        …',
      'UTC',
      '2026-11-21 12:00  booking.rescheduled  pending         2  The connection was…',
    ]);
  });
});

import { keyUse } from '../../contract/api-key.ts';
import { renderCount } from '../../text/numbers.ts';
import { renderInstant } from '../output/cell.ts';
import { type ColumnSet, toColumns } from '../output/columns.ts';
import { type CommandResult, onePage } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';

const columns: ColumnSet = {
  all: [...toColumns(keyUse.properties), { key: 'percent', kind: 'text', heading: '% of limit' }],
  table: ['name', 'kind', 'prefix', 'role', 'requests', 'percent', 'last_used_at', 'app', 'person'],
  optional: ['person', 'app', 'role'],
};

/** What has used the limit of the hour. */
export async function showKeyUsage(context: CommandContext): Promise<CommandResult> {
  const client = await context.client();
  const { data, limit, window_end } = await client.apiKeys.usage();
  const requests = data.reduce((sum, use) => sum + use.requests, 0);
  const { timeZone } = await readClock(context);
  const end = `${renderInstant(window_end, { timeZone })} (${timeZone})`;
  context.messages.info(
    `${renderCount(requests)} of ${renderCount(limit)} requests this hour, which ends ${end}.`,
  );
  const rows = data.map((use) => ({ ...use, percent: Number(((use.requests / limit) * 100).toFixed(1)) }));
  return { show: 'records', noun: 'API keys', columns, pages: onePage(rows) };
}

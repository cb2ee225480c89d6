import { createCellRules } from '../src/bulk/input/cell-values.ts';
import { detectSheetForm } from '../src/bulk/input/detect-sheet.ts';
import { validateSheet } from '../src/bulk/input/validate-sheet.ts';
import { openRecordJoin } from '../src/bulk/plan/record-join.ts';
import type { SheetRow } from '../src/bulk/sheet/sheet-form.ts';

// Detects and validates one sheet in its own process, started by bench/sheet.ts.
const path = process.argv[2] ?? '';
const form = await detectSheetForm(path);
using join = openRecordJoin<SheetRow['cells']>('id');
const { rows, problemCount } = await validateSheet(path, form, {
  edit: { noun: 'clients', verb: 'update', match: 'id', force: false },
  now: new Date(),
  rules: createCellRules({ ...form, noun: 'clients', timeZone: 'UTC' }),
  readFieldNames: async () => [],
  rows: join,
});
const { user, system } = process.cpuUsage();
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ rows, problemCount, cpuSeconds: (user + system) / 1e6, peakMb }));

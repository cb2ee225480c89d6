import { createCellRules } from '../src/bulk/input/cell-values.ts';
import { detectSheetForm } from '../src/bulk/input/detect-sheet.ts';
import { fieldsOf } from '../src/bulk/input/edit-fields.ts';
import { validateSheet } from '../src/bulk/input/validate-sheet.ts';
import { openRecordJoin } from '../src/bulk/plan/record-join.ts';
import type { SheetRow } from '../src/bulk/sheet/sheet-form.ts';

// Detects and validates one file in its own process, as an import or else as updates of clients. Started by others.
const [, , path = '', imported = ''] = process.argv;
const noun = imported === 'appointments' ? 'appointments' : 'clients';
const verb = imported === '' ? 'update' : 'import';
const startMs = performance.now();
const knownFields = imported === '' ? undefined : [...fieldsOf(noun).keys()];
const form = await detectSheetForm(path, { knownFields });
using join = openRecordJoin<SheetRow['cells']>('id');
const { rows, problemCount } = await validateSheet(path, form, {
  edit: { noun, verb, match: 'id', force: false },
  now: new Date(),
  rules: createCellRules({ ...form, noun, timeZone: 'UTC' }),
  readFieldNames: async () => [],
  rows: join,
});
const { user, system } = process.cpuUsage();
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
const wallSeconds = (performance.now() - startMs) / 1000;
console.log(JSON.stringify({ rows, problemCount, cpuSeconds: (user + system) / 1e6, wallSeconds, peakMb }));

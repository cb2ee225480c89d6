import { detectSheetForm } from '../src/bulk/input/detect-sheet.ts';
import { checkSheet } from '../src/bulk/input/validate-sheet.ts';

// One sheet, detected and checked in a process of its own: bench/sheet.ts starts it.
const path = process.argv[2] ?? '';
const form = await detectSheetForm(path);
const { rows, faultCount } = await checkSheet(path, form, {
  edit: { noun: 'clients', verb: 'update', match: 'id', force: false },
  now: new Date(),
  timeZone: 'UTC',
});
const { user, system } = process.cpuUsage();
const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
console.log(JSON.stringify({ rows, faultCount, cpuSeconds: (user + system) / 1e6, peakMb }));

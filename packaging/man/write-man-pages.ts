import { readSourceDate } from '../source-date.ts';
import { writeManPages } from './man-pages.ts';

const folder = 'dist/man';
const files = await writeManPages(folder, readSourceDate(process.env));
process.stdout.write(`Wrote ${files.length} manual pages to ${folder}. To read one: man ${folder}/salon.1\n`);

import { readReleaseUrl } from '../release-url.ts';
import { readSourceDate } from '../source-date.ts';
import { writeManPages } from './man-pages.ts';

const { env } = process;
const edition = { date: readSourceDate(env), releaseUrl: readReleaseUrl(env) };
const folder = 'dist/man';
const files = await writeManPages(folder, edition);
process.stdout.write(`Wrote ${files.length} manual pages to ${folder}. To read one: man ${folder}/salon.1\n`);

import { type FileHandle, open } from 'node:fs/promises';
import { SalonError } from '../../contract/errors.ts';
import type { SheetFormat } from '../sheet/sheet-form.ts';

/** A kind of file: the pattern of its bytes, what it is, and the way out. */
interface OtherKind {
  readonly pattern: RegExp;
  readonly type: string;
  readonly hint: string;
}

const inExcel = 'In Excel, choose File > Save As and the type "Excel Workbook (.xlsx)"';
const inLibreOffice = 'in LibreOffice File > Save As and the type "Excel 2007-365 (.xlsx)"';
const exportAgain = 'Where it was made, export the list as .xlsx or CSV instead.';
const unpack = 'Unpack it, and give the file with the list.';

/** By their first bytes. */
const otherFiles: readonly (Omit<OtherKind, 'pattern'> & { readonly start: string })[] = [
  { start: '\x1f\x8b', type: 'a compressed file', hint: 'Decompress it first.' },
  { start: '%PDF', type: 'a PDF', hint: exportAgain },
  { start: 'Rar!', type: 'an archive', hint: unpack },
  { start: '{\\rtf', type: 'a text document (RTF)', hint: exportAgain },
  { start: 'MIME-Version:', type: 'a web page with its parts (MHTML)', hint: exportAgain },
];

/** Workbooks that are no OLE2 file, as some programs write them: BIFF2 to BIFF8. */
const bareWorkbooks = ['\t\0\x04\0', '\t\x02\x06\0', '\t\x04\x06\0', '\t\x08\x08\0', '\t\x08\x10\0'];

/** By the names of the files in them. */
const archives: readonly OtherKind[] = [
  {
    pattern: /Takeout\//,
    type: 'an archive of Google Takeout',
    hint: 'Unpack it, and give the file of contacts (.vcf) or of a calendar (.ics) that is in it.',
  },
  {
    pattern: /Index\/[^\0]*\.iwa|Index\.zip/,
    type: 'a document of Numbers or another program of Apple',
    hint: 'In Numbers, choose File > Export To > Excel.',
  },
  { pattern: /xl\/workbook\.bin/, type: 'a binary workbook (.xlsb)', hint: `${inExcel}.` },
  { pattern: /word\/document\.xml/, type: 'a Word document', hint: exportAgain },
  { pattern: /ppt\/presentation\.xml/, type: 'a presentation', hint: exportAgain },
];

/** By the names in the directory of an OLE2 file. */
const compounds: readonly OtherKind[] = [
  {
    pattern: /EncryptedPackage/,
    type: 'protected by a password',
    hint: `${inExcel.replace('choose', 'open it, clear File > Info > Protect Workbook > Encrypt with Password, then choose')}; ${inLibreOffice}, without "Save with password".`,
  },
  { pattern: /WordDocument/, type: 'a Word document', hint: exportAgain },
  { pattern: /__substg1\.0_|__properties_version1\.0/, type: 'a message of Outlook', hint: exportAgain },
];

const oldWorkbook: Omit<OtherKind, 'pattern'> = {
  type: 'an Excel 97-2003 workbook (.xls)',
  hint: `${inExcel}; ${inLibreOffice}.`,
};

/** The first bytes of a file, and its format if they show it. Throws `usage` for files that are no sheets. */
export async function detectKind(
  path: string,
  name: string,
): Promise<{ start: Buffer; kind: SheetFormat | undefined }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const start = await readPart(file, 0, 4_096);
  const text = start.toString('latin1');
  const refuse = ({ type, hint }: Omit<OtherKind, 'pattern'>) =>
    new SalonError('usage', `${name} is ${type}.`, { hint });
  const other = otherFiles.find((one) => text.startsWith(one.start));
  if (other !== undefined) throw refuse(other);
  if (bareWorkbooks.some((bytes) => text.startsWith(bytes))) throw refuse(oldWorkbook);
  if (text.startsWith('\xd0\xcf\x11\xe0')) {
    for (let at = 0; at < size; at += partLength) {
      const names = (await readPart(file, at, partLength)).toString('utf16le');
      const found = compounds.find(({ pattern }) => pattern.test(names));
      if (found !== undefined) throw refuse(found);
    }
    throw refuse(oldWorkbook);
  }
  if (text.startsWith('PK')) {
    const names = (await readPart(file, Math.max(0, size - partLength), partLength)).toString('latin1');
    const found = archives.find(({ pattern }) => pattern.test(names));
    if (found !== undefined) throw refuse(found);
    const document = /mimetypeapplication\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(text)?.[1];
    if (document === 'spreadsheet') return { start, kind: 'ods' };
    if (document !== undefined)
      throw refuse({ type: `an OpenDocument file (${document})`, hint: exportAgain });
    // Without the directory at its end, an archive is cut.
    const isOther = names.includes('PK\x05\x06') && !names.includes('[Content_Types].xml');
    if (text.startsWith('PK\x05\x06') || isOther) throw refuse({ type: 'a zip archive', hint: unpack });
    return { start, kind: 'xlsx' };
  }
  return { start, kind: detectMarkup(text, name) };
}

const partLength = 1_048_576;

async function readPart(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** HTML, XML Spreadsheet or a flat .ods; undefined for what is none. Throws `usage` for other XML. */
function detectMarkup(bytes: string, name: string): 'html' | 'xml' | 'ods' | undefined {
  // UTF-16 has a zero in each character.
  const text = bytes.replaceAll('\0', '').replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*/, '');
  if (!/^<[!?a-z]/i.test(text)) return undefined;
  if (/<(?:\w+:)?Workbook\s[^>]*:office:spreadsheet/.test(text)) return 'xml';
  if (/<office:document\s[^>]*opendocument\.spreadsheet/.test(text)) return 'ods';
  if (/<(?:!doctype\s+html|html|head|body|meta|title|style|table|div|center|font|p|form)[\s>/]/i.test(text))
    return 'html';
  if (!/^<[?!]/.test(text)) return undefined;
  throw new SalonError('usage', `${name} is an XML file, but none of Excel or LibreOffice.`, {
    hint: exportAgain,
  });
}

import { type Part, toPart, zip } from '../../support/zip.ts';

export interface WorkbookOptions {
  /** The `row` elements of the first worksheet. */
  readonly rows: string;
  /** The `si` elements of the shared texts. */
  readonly shared?: string;
  readonly names?: readonly string[];
  /** The codes of further number formats, or their numbers: those of styles 2, 3, … */
  readonly formats?: readonly (string | number)[];
  /** Where the workbook is in the archive. */
  readonly folder?: string;
  /** Whether days count from 1904. */
  readonly countsFrom1904?: boolean;
  readonly hidden?: readonly string[];
  /** Replaces a part by bytes that are packed already. */
  readonly packed?: Part;
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const packages = 'http://schemas.openxmlformats.org/package/2006';

function escapeXml(text: string): string {
  return text.replace(/[<&"]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** An .xlsx with the parts that Excel writes (ECMA-376, part 1). Style 1 is a date with a time. */
export function makeWorkbook({
  rows,
  shared = '',
  names = ['clients'],
  hidden = [],
  countsFrom1904 = false,
  formats = [],
  folder = 'xl',
  packed,
}: WorkbookOptions): Buffer {
  const sheets = names.map((name, index) => {
    const state = hidden.includes(name) ? ' state="hidden"' : '';
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  const links = names.map(
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  );
  const codes = formats.map(
    (code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(String(code))}"/>`,
  );
  const styles = formats.map(
    (format, index) =>
      `<xf numFmtId="${typeof format === 'number' ? format : 164 + index}" applyNumberFormat="1"/>`,
  );
  const texts: [name: string, text: string][] = [
    [
      '[Content_Types].xml',
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${folder}/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${types}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${types}.sharedStrings+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="${folder}/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${relations}">${countsFrom1904 ? '<workbookPr date1904="1"/>' : ''}<sheets>${sheets.join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${packages}/relationships">${links.join('')}<Relationship Id="rId98" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="rId99" Type="${relations}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    ],
    [
      'xl/styles.xml',
      `<styleSheet xmlns="${main}"><numFmts>${codes.join('')}</numFmts><fonts><font/></fonts><fills><fill/></fills><borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/>${styles.join('')}</cellXfs></styleSheet>`,
    ],
    ['xl/sharedStrings.xml', `<sst xmlns="${main}">${shared}</sst>`],
    ...names.map((_, index): [string, string] => [
      `xl/worksheets/sheet${index + 1}.xml`,
      `<worksheet xmlns="${main}"><sheetData>${index === 0 ? rows : ''}</sheetData></worksheet>`,
    ]),
  ];
  const parts = texts.map(([path, text]) => {
    const name = path.replace(/^xl(?=\/)/, folder);
    return toPart(name, `<?xml version="1.0" encoding="UTF-8"?>\n${text}`);
  });
  return zip(parts.map((part) => (part.name === packed?.name ? packed : part)));
}

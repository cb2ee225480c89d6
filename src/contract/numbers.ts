/** Currency codes by their number of decimals. Source: ISO 4217, list one, without funds, metals and test codes. */
const currencies = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC
    CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD
    KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO
    NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL
    THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
} as const;

let decimalsByCode: ReadonlyMap<string, number> | undefined;

/** The number of decimals of a currency; undefined for an unknown code. */
export function decimalsOf(currency: string): number | undefined {
  decimalsByCode ??= new Map(
    Object.entries(currencies).flatMap(([count, codes]) =>
      codes.split(/\s+/).map((code) => [code, Number(count)] as const),
    ),
  );
  return decimalsByCode.get(currency);
}

/** `1234567` as `1,234,567`. Intl would load 9 MiB of locale data for it. */
export function renderCount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 client`, `2 clients`, `1 delivery`. */
export function countOf(count: number, plural: string): string {
  return `${renderCount(count)} ${count === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural}`;
}

/** Minor units with their decimals: `4500` and 2 as `45.00`. Undefined for a number that is not exact. */
export function renderDecimal(minorUnits: number | bigint, decimals: number): string | undefined {
  if (typeof minorUnits === 'number' && !Number.isSafeInteger(minorUnits)) return undefined;
  const digits = String(minorUnits)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  return `${minorUnits < 0 ? '-' : ''}${whole}${decimals === 0 ? '' : `.${digits.slice(-decimals)}`}`;
}

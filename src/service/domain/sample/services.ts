/** A service of the sample salon. */
export interface SampleService {
  readonly service: string;
  /** Minutes. */
  readonly duration: number;
  /** In cents. */
  readonly price: number;
}

export const shortestService: SampleService = { service: 'Men’s cut', duration: 30, price: 3_200 };

const cut: SampleService = { service: 'Cut and blow-dry', duration: 60, price: 5_200 };

/** Common services are listed twice, so they are picked more often. */
const everyday: readonly SampleService[] = [
  cut,
  cut,
  shortestService,
  shortestService,
  { service: 'Blow-dry', duration: 45, price: 3_000 },
  { service: 'Fringe trim', duration: 15, price: 1_200 },
  { service: 'Conditioning treatment', duration: 45, price: 2_800 },
];
const beards: readonly SampleService[] = [{ service: 'Beard trim', duration: 30, price: 1_800 }];
const colours: readonly SampleService[] = [
  { service: 'Root colour', duration: 90, price: 7_500 },
  { service: 'Full colour', duration: 120, price: 11_000 },
  { service: 'Half-head highlights', duration: 150, price: 13_500 },
  { service: 'Balayage', duration: 180, price: 17_500 },
];
const weddings: readonly SampleService[] = [{ service: 'Bridal up-do', duration: 90, price: 9_500 }];

const prices = new Map(
  [...everyday, ...beards, ...colours, ...weddings].map(({ service, price }) => [service, price]),
);

/** The price of a service in cents; of unknown ones, that of a cut. */
export function toPrice(service: string): number {
  return prices.get(service) ?? cut.price;
}

/** What a stylist does: everyone cuts, two of three colour, one of three trims beards. */
export function toStylistServices(stylist: number): readonly [SampleService, ...SampleService[]] {
  const isBarber = stylist % 3 === 1;
  const ups = stylist % 4 === 0 ? weddings : [];
  return [cut, ...everyday.slice(1), ...(isBarber ? beards : colours), ...ups];
}

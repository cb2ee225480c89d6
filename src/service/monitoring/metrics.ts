import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inTime } from '../../time/time.ts';
import { checkNames, type ReadinessReport } from './readiness.ts';

/** A request that was answered. */
interface ServedRequest {
  readonly method: string;
  /** The pattern of the route; undefined if there is none. */
  readonly route: string | undefined;
  readonly status: number;
  /** The code of the problem that it got. */
  readonly code: string | undefined;
  readonly ms: number;
}

/** A number that is read when the metrics are. */
interface MeasuredValue {
  readonly name: string;
  readonly help: string;
  /** Whether the values of several workers are added up; otherwise they are the same for all. */
  readonly isOfProcess?: boolean;
  /** Undefined if there is none here. */
  read(): Promise<number | undefined>;
}

/** What the metrics show beside what they count. */
interface MetricSources {
  readonly version: string;
  /** The name and version of the database. */
  readonly engine: string;
  readonly values: readonly MeasuredValue[];
  checkReadiness(): Promise<ReadinessReport>;
}

/** How long a database that does not respond may hold up the metrics. */
const readTimeoutMs = 3000;
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the metrics, and loads their library. */
export async function createMetrics({ version, engine, values, checkReadiness }: MetricSources) {
  const library = await import('prom-client');
  const { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } = library;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'salon_http_requests_total',
    help: 'Responses by route and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'salon_http_request_duration_seconds',
    help: 'Time until the response was sent.',
    labelNames: ['method', 'route'],
    buckets,
    registers,
  });
  const problems = new Counter({
    name: 'salon_http_problems_total',
    help: 'Failed requests by problem code.',
    labelNames: ['code'],
    registers,
  });
  const statements = new Histogram({
    name: 'salon_database_statement_duration_seconds',
    help: 'Duration of database statements, including the wait for a connection.',
    buckets,
    registers,
  });
  new Gauge({
    name: 'salon_info',
    help: 'The versions of the service and of its database.',
    labelNames: ['version', 'database'],
    aggregator: 'first',
    registers,
  }).set({ version, database: engine }, 1);
  for (const { name, help, isOfProcess = false, read } of values) {
    new Gauge({
      ...{ name, help, registers, aggregator: isOfProcess ? 'sum' : 'first' },
      async collect() {
        // The other metrics are most wanted when the database cannot be read.
        const value = await inTime(read(), readTimeoutMs, Number.NaN).catch(() => Number.NaN);
        if (value !== undefined) this.set(value);
      },
    });
  }
  new Gauge({
    name: 'salon_ready',
    help: 'Whether a check of /readyz passes.',
    labelNames: ['check'],
    aggregator: 'min',
    registers,
    async collect() {
      const report = await checkReadiness();
      for (const check of checkNames) this.set({ check }, report[check] === 'ok' ? 1 : 0);
    },
  });

  return {
    /** The media type of the text. */
    contentType: registry.contentType,
    countRequest({ method, route, status, code, ms }: ServedRequest) {
      // The route of both prefixes is named by the shorter one. A path without one must not become a label.
      const name = route?.replace(/^\/api(?=\/v\d)/, '') ?? 'none';
      requests.inc({ method, route: name, status });
      durations.observe({ method, route: name }, ms / 1000);
      if (code !== undefined) problems.inc({ code });
    },
    countStatement: (ms: number) => statements.observe(ms / 1000),
    /** The text format of Prometheus. */
    render: () => registry.metrics(),
    /** Sends the metrics to the primary process whenever it asks for those of its workers. */
    share() {
      new AggregatorRegistry();
      AggregatorRegistry.setRegistries(registry);
    },
  };
}

/** Counts for Prometheus. */
export type Metrics = Awaited<ReturnType<typeof createMetrics>>;

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Serves metrics on a separate port. Throws what listening throws. */
export async function openMetricsServer(
  metrics: { readonly contentType: string; render(): Promise<string> },
  { host, port }: ListenAddress,
) {
  const server = createServer(({ method, url }, response) => {
    if (url?.split('?', 1)[0] !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(404).end();
      return;
    }
    metrics.render().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.listen({ host, port });
  await once(server, 'listening');
  const { address, port: bound, family } = server.address() as AddressInfo;
  return {
    /** Such as `http://127.0.0.1:9464/metrics`. */
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type MetricsServer = Awaited<ReturnType<typeof openMetricsServer>>;

/** Serves the metrics of all workers of this process, added up. Loads the library. Throws what listening throws. */
export async function openClusterMetrics(address: ListenAddress): Promise<MetricsServer> {
  const { AggregatorRegistry } = await import('prom-client');
  const registry = new AggregatorRegistry();
  const render = () => registry.clusterMetrics();
  return openMetricsServer({ contentType: registry.contentType, render }, address);
}

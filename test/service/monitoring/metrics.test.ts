import { describe, expect, it } from 'vitest';
import { parseServiceConfig } from '../../../src/service/config.ts';
import { openDatabase } from '../../../src/service/db/database.ts';
import { openMonitoring } from '../../../src/service/monitoring/monitoring.ts';
import { openService } from '../../../src/service/service.ts';
import { sendRequest, toJson } from '../../support/send-request.ts';
import { openTestService } from '../../support/service.ts';

const metricsToken = 'a-token-for-the-metrics';

describe('the metrics', () => {
  it('count requests by route and status, and problems by code', async () => {
    await using service = await openTestService({ config: { metricsToken } });
    const key = service.keys.owner;
    await sendRequest(`${service.origin}/v1/clients`, { key });
    await sendRequest(`${service.origin}/api/v1/clients`, { key });
    await sendRequest(`${service.origin}/api/v1/clients/cli_0`, { key });
    await sendRequest(`${service.origin}/any/path/at/all`);
    const { status, headers, text } = await sendRequest(`${service.origin}/metrics`, { key: metricsToken });
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'salon_http_requests_total{method="GET",route="/v1/clients",status="200"} 2',
        'salon_http_requests_total{method="GET",route="/v1/clients/:id",status="404"} 1',
        'salon_http_requests_total{method="GET",route="none",status="404"} 1',
        'salon_http_request_duration_seconds_count{method="GET",route="/v1/clients"} 2',
        'salon_http_problems_total{code="not_found"} 2',
        'salon_ready{check="database"} 1',
        'salon_ready{check="disk"} 1',
        'salon_http_connections 1',
        'salon_webhook_deliveries_pending 0',
      ]),
    );
    expect(text).toMatch(/^salon_info\{version="[^"]+",database="(?:SQLite|PostgreSQL) [^"]+"\} 1$/m);
    expect(text).toMatch(/^salon_database_bytes [1-9]\d+/m);
    if (service.database.startsWith('sqlite:')) expect(text).toMatch(/^salon_disk_free_bytes [1-9]/m);
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
  });

  it('are shown only with the token', async () => {
    await using service = await openTestService({ config: { metricsToken } });
    for (const key of [undefined, service.keys.owner, `${metricsToken}x`]) {
      const response = await sendRequest(`${service.origin}/metrics`, key === undefined ? {} : { key });
      expect(response.status).toBe(401);
      expect(response.text).not.toContain('salon_info');
    }
  });

  it('are not there unless asked for', async () => {
    await using service = await openTestService();
    expect((await sendRequest(`${service.origin}/metrics`, { key: metricsToken })).status).toBe(404);
  });

  it('are served on a port of their own, and then not on the other', async () => {
    const metricsAddress = { host: '127.0.0.1', port: 0 };
    await using service = await openTestService({ config: { metricsAddress, logLevel: 'info' } });
    const { metrics } = JSON.parse(service.logged.find((line) => line.includes('service started')) ?? '');
    expect((await sendRequest(metrics)).text).toMatch(/^salon_info/m);
    expect((await sendRequest(metrics.replace('/metrics', '/v1/clients'))).status).toBe(404);
    expect((await sendRequest(`${service.origin}/metrics`)).status).toBe(404);
    await service.close();
    await expect(sendRequest(metrics)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('keep the service from starting where their port is in use', async () => {
    await using service = await openTestService();
    const port = new URL(service.origin).port;
    const config = parseServiceConfig({
      port: '0',
      database: service.database,
      metrics: port,
      logLevel: 'silent',
    });
    const environment = {
      ...{ now: () => new Date(), random: (size: number) => new Uint8Array(size), env: service.env },
    };
    await expect(openService(config, { ...environment, log: { write: () => true } })).rejects.toMatchObject({
      code: 'usage',
      message: `Port ${port} on 127.0.0.1 is already in use.`,
    });
    expect(toJson(await sendRequest(`${service.origin}/healthz`))).toEqual({ status: 'ok' });
  });

  it('are shown while the database cannot be read', async () => {
    await using service = await openTestService();
    const database = await openDatabase(service.database);
    const location = service.database;
    const monitoring = await openMonitoring({
      ...{ database, location, metricsToken, findWriteFailure: () => undefined },
    });
    await database.close();
    const text = await monitoring.metrics?.render();
    expect(text).toMatch(/^salon_webhook_deliveries_pending Nan$/m);
    expect(text).toMatch(/^salon_ready\{check="database"\} 0$/m);
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
  });
});

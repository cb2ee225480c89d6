import { describe, expect, it } from 'vitest';
import { createAddressCheck } from '../../../src/service/webhooks/webhook-address.ts';

const publicAddress = '93.184.215.14';

/** The result of the check; hosts resolve as given, by default to a public address. */
function check(url: string, { addresses = [publicAddress], allowsLoopback = false } = {}) {
  return createAddressCheck({ resolve: async () => addresses, allowsLoopback })(url);
}

describe('the address of a webhook', () => {
  it.each([
    'https://hooks.example/salon?a=1',
    'https://hooks.example:8443',
    'https://hooks.example./',
    `https://${publicAddress}/`,
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://münchen.example/',
  ])('may be %s', async (url) => {
    expect(await check(url)).toBeUndefined();
  });

  it.each([
    ['for an invalid URL', 'hooks', 'It is not a valid URL.'],
    ['with a line break', 'https://hooks\n.example', 'It is not a valid URL.'],
    ['with an escape sequence', 'https://hooks.example/\u001b[31m', 'It is not a valid URL.'],
    ['without TLS', 'http://hooks.example', 'It must start with https://.'],
    ['for another protocol', 'ftp://hooks.example', 'It must start with https://.'],
    ['for a file', 'file:///etc/passwd', 'It must start with https://.'],
    ['with a user name', 'https://ana@hooks.example', 'It must not contain a user name or password.'],
    ['with a password', 'https://:secret@hooks.example', 'It must not contain a user name or password.'],
    ['with a fragment', 'https://hooks.example/#a', 'It must not contain a fragment (#).'],
    ['with an empty fragment', 'https://hooks.example/#', 'It must not contain a fragment (#).'],
  ])('is rejected %s', async (_title, url, objection) => {
    expect(await check(url)).toBe(objection);
  });

  it.each([443, 8000, 8999])('may have port %s', async (port) => {
    expect(await check(`https://hooks.example:${port}/`)).toBeUndefined();
  });

  it.each([1, 22, 80, 444, 7999, 9000, 65_535])(
    'has port %s only if the operator allows it',
    async (port) => {
      const url = `https://hooks.example:${port}/`;
      expect(await check(url)).toBe(
        `Port ${port} is not allowed. Use 443 or one from 8000 to 8999, or ask the operator to allow it.`,
      );
      const resolve = async () => [publicAddress];
      expect(
        await createAddressCheck({ resolve, allowsLoopback: false, ports: [port] })(url),
      ).toBeUndefined();
      expect(await check(`https://127.0.0.1:${port}/`, { allowsLoopback: true })).toBeUndefined();
    },
  );

  it('is rejected if its host cannot be resolved', async () => {
    const nowhere = 'nowhere.example cannot be resolved.';
    expect(await check('https://nowhere.example', { addresses: [] })).toBe(nowhere);
    const resolve = async () => Promise.reject(new Error('ENOTFOUND'));
    expect(await createAddressCheck({ resolve, allowsLoopback: true })('https://nowhere.example')).toBe(
      nowhere,
    );
  });

  const inside = [
    ['loopback', '127.0.0.1', '127.255.255.254', '[::1]'],
    [
      'loopback in decimal, hexadecimal, octal and short',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '0',
    ],
    ['loopback in full width', '１２７.０.０.１'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ['link-local, including cloud metadata', '169.254.169.254', '169.254.0.1', '[fe80::1]'],
    ['metadata of a cloud that looks public', '168.63.129.16'],
    ['unique local and site-local', '[fc00::1]', '[fd12:3456::1]', '[fd00:ec2::254]', '[fec0::1]'],
    ['ISATAP, which leads to an IPv4 address', '[2600::5efe:7f00:1]', '[2600::200:5efe:a00:1]'],
    ['carrier-grade NAT', '100.64.0.1', '100.127.255.255'],
    ['unspecified and broadcast', '0.0.0.0', '0.1.2.3', '255.255.255.255', '[::]'],
    ['multicast', '224.0.0.1', '239.255.255.255', '[ff02::1]'],
    ['reserved', '240.0.0.1', '192.0.0.1', '192.88.99.1', '[100::1]', '[4000::1]', '[5f00::1]'],
    ['for documentation', '192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]'],
    ['for benchmarks', '198.18.0.1', '198.19.255.255', '[2001:2::1]'],
    ['IPv4 mapped', '[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', `[::ffff:${publicAddress}]`],
    ['IPv4 compatible', '[::127.0.0.1]', '[::7f00:1]', '[::10.0.0.1]'],
    ['IPv4 translated', '[::ffff:0:127.0.0.1]'],
    ['NAT64', '[64:ff9b::7f00:1]', '[64:ff9b::10.0.0.1]', '[64:ff9b:1::7f00:1]', '[64:ff9b:1:ffff::1]'],
    ['6to4', '[2002:7f00:1::]', '[2002:a00:1::1]'],
    ['Teredo', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]', '[2001::1]'],
  ] as const;
  it.each(inside)('is rejected if it is %s', async (_title, ...hosts) => {
    for (const host of hosts) {
      const { hostname } = new URL(`https://${host}/`);
      const shown = hostname.replace(/^\[(.*)\]$/, '$1');
      expect(await check(`https://${host}/hooks`), host).toBe(`${shown} is not a public address.`);
      // A host that resolves there is rejected, even if it also resolves to a public address.
      const addresses = [publicAddress, shown];
      expect(await check('https://hooks.example', { addresses }), host).toBe(
        'hooks.example is not a public address.',
      );
    }
  });

  it.each(['localhost', 'localhost.', 'LOCALHOST', 'a.localhost'])(
    'is rejected if it is %s',
    async (host) => {
      const objection = await check(`https://${host}/`, { addresses: ['::1', '127.0.0.1'] });
      expect(objection).toBe(`${host.toLowerCase()} is not a public address.`);
    },
  );

  it.each([
    ['http://localhost:3000/hook', ['::1', '127.0.0.1'], undefined],
    ['http://127.0.0.1:3000', [], undefined],
    ['http://[::1]:3000', [], undefined],
    ['https://localhost', ['127.0.0.1'], undefined],
    ['https://hooks.example', [publicAddress], undefined],
    ['http://hooks.example', [publicAddress], 'It must start with https://.'],
    ['http://hooks.example', ['127.0.0.1', publicAddress], 'It must start with https://.'],
    ['http://192.168.1.1', [], '192.168.1.1 is not a public address.'],
    ['https://[64:ff9b::7f00:1]', [], '64:ff9b::7f00:1 is not a public address.'],
  ])('may be loopback for a loopback service: %s resolving to %j', async (url, addresses, objection) => {
    expect(await check(url, { addresses, allowsLoopback: true })).toBe(objection);
  });
});

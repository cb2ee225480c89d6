import { readFileSync } from 'node:fs';
import type { Authority } from './certificates.ts';
import { type Gateway, startGateway } from './gateway-process.ts';

/** Names of the certificate that gateways show. */
const names = ['IP:127.0.0.1', 'DNS:salon.test'];

export interface NginxOptions {
  readonly authority: Authority;
  /** Lines of the `server` block, and of the `location` in front of the salon. */
  readonly server?: readonly string[];
  readonly location?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

/** nginx in front of a salon: TLS, HTTP/2 and gzip, as most installations have it. */
export function startNginx(upstream: string, options: NginxOptions): Promise<Gateway> {
  const { cert, key } = options.authority.issue('nginx', { names });
  return startGateway({
    program: 'nginx',
    args: (config) => ['-c', config, '-e', 'stderr', '-g', 'daemon off; master_process off;'],
    files: options.files ?? {},
    config: (port, folder) => `
      pid ${folder}/nginx.pid;
      error_log stderr crit;
      events {}
      http {
        access_log off;
        client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
        uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
        gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 1;
        server {
          listen 127.0.0.1:${port} ssl http2;
          ssl_certificate ${cert}; ssl_certificate_key ${key};
          ${(options.server ?? []).join('\n').replaceAll('FOLDER', folder)}
          location / {
            proxy_pass ${upstream};
            ${(options.location ?? []).join('\n').replaceAll('FOLDER', folder)}
          }
        }
      }`,
  });
}

export interface HaproxyOptions {
  readonly authority: Authority;
  /** More of the `bind` line. */
  readonly bind?: string;
  readonly serverTimeout?: string;
}

/** haproxy in front of a salon, with TLS. */
export function startHaproxy(upstream: string, options: HaproxyOptions): Promise<Gateway> {
  const { cert, key } = options.authority.issue('haproxy', { names });
  return startGateway({
    program: 'haproxy',
    args: (config) => ['-db', '-f', config],
    files: { 'server.pem': readFileSync(cert, 'utf8') + readFileSync(key, 'utf8') },
    config: (port, folder) => `
      defaults
        mode http
        timeout client 150s
        timeout connect 150s
        timeout server ${options.serverTimeout ?? '150s'}
        retries 0
      frontend salon
        bind 127.0.0.1:${port} ssl crt ${folder}/server.pem alpn h2,http/1.1 ${options.bind ?? ''}
        default_backend service
      backend service
        server one ${new URL(upstream).host}
      `,
  });
}

/** tinyproxy, which sends everything to another proxy that knows the hosts. */
export function startTinyproxy(
  upstream: number,
  { login, denies }: { readonly login?: string; readonly denies?: string } = {},
): Promise<Gateway> {
  return startGateway({
    program: 'tinyproxy',
    args: (config) => ['-d', '-c', config],
    files: { deny: denies ?? '' },
    config: (port, folder) =>
      [
        `Port ${port}`,
        'Listen 127.0.0.1',
        'Timeout 150',
        'LogLevel Critical',
        'DisableViaHeader Yes',
        `upstream http 127.0.0.1:${upstream}`,
        ...(login === undefined ? [] : [`BasicAuth ${login}`]),
        ...(denies === undefined ? [] : [`Filter "${folder}/deny"`]),
      ].join('\n'),
  });
}

export interface SquidOptions {
  /** Hosts that only squid knows, all on loopback. */
  readonly hosts: readonly string[];
  /** A line of an htpasswd file. */
  readonly login?: string;
  readonly denies?: string;
}

export function startSquid({ hosts, login, denies }: SquidOptions): Promise<Gateway> {
  return startGateway({
    program: 'squid',
    args: (config) => ['-N', '-f', config],
    files: { hosts: `127.0.0.1 ${hosts.join(' ')}\n`, passwords: `${login ?? ''}\n` },
    config: (port, folder) =>
      [
        `http_port 127.0.0.1:${port}`,
        'pid_filename none',
        'cache deny all',
        'access_log none',
        'cache_log /dev/null',
        'shutdown_lifetime 0 seconds',
        `hosts_file ${folder}/hosts`,
        ...(denies === undefined ? [] : [`acl denied dstdomain ${denies}`, 'http_access deny denied']),
        ...(login === undefined
          ? ['http_access allow all']
          : [
              `auth_param basic program /usr/lib/squid/basic_ncsa_auth ${folder}/passwords`,
              'acl known proxy_auth REQUIRED',
              'http_access allow known',
            ]),
        'http_access deny all',
      ].join('\n'),
  });
}

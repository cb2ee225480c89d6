import type { ProxyRoute } from '../../client/http/connection.ts';
import type { Io } from '../io.ts';

/** The proxies that the environment names. */
export function readProxyRoute(env: Io['env']): ProxyRoute {
  return {
    http: env['HTTP_PROXY'] ?? env['http_proxy'],
    https: env['HTTPS_PROXY'] ?? env['https_proxy'],
    except: env['NO_PROXY'] ?? env['no_proxy'],
  };
}

import { isIP } from 'node:net'
import { defineSettings, type SettingValues } from './define-settings.ts'

/** What the server needs before it can listen. */
export const serverSettings = defineSettings({
  host: {
    type: 'string',
    default: '127.0.0.1',
    pattern: { matches: /^[\w.:-]+$/, expected: 'an address or a host name' },
    help: 'Address to listen on',
  },
  allowedHosts: {
    type: 'list',
    default: [],
    pattern: { matches: /^(?:\*\.)?[\w.-]+$|^[\da-fA-F:]+$/, expected: 'a host name such as dms.example.com or *.example.com' },
    help: 'Host names that are answered beside those of the own machine; without any, all are, unless Administrator has the default password',
  },
  trustedProxies: {
    type: 'list',
    default: ['127.0.0.0/8', '::1'],
    pattern: { matches: { test: isAddressRange }, expected: 'an address or a range such as 10.0.0.0/8' },
    help: 'Addresses of proxies whose X-Forwarded-… headers are believed',
  },
  port: { type: 'integer', default: 8080, min: 0, max: 65535, help: 'Port to listen on; 0 takes any free one and prints it' },
  data: {
    type: 'string',
    default: './data',
    pattern: { matches: /./, expected: 'a folder' },
    help: 'Folder of the embedded database and the files',
  },
  databaseUrl: {
    type: 'url',
    protocols: ['postgres', 'postgresql'],
    help: 'PostgreSQL database to use instead of the embedded one in the data folder',
  },
  databaseSchema: {
    type: 'string',
    default: 'quire',
    pattern: { matches: /^[a-z][a-z0-9_]{0,30}$/, expected: 'lower-case letters, digits and _, at most 31' },
    help: 'First part of the names of the PostgreSQL schemas, one a repository',
  },
  documentCache: {
    type: 'integer',
    default: 25_000,
    min: 0,
    help: 'Documents that a process keeps at hand, about 5 KB each with its answer (embedded database)',
  },
  basePath: {
    type: 'string',
    default: '',
    pattern: { matches: /^(\/[\w.~-]+)*$/, expected: 'empty or a path such as /content, without a slash at its end' },
    help: 'Path under which everything is served',
  },
  vendor: {
    type: 'string',
    default: 'platform',
    pattern: { matches: /^[a-z][a-z0-9]*$/, expected: 'one word in lower-case letters and digits' },
    help: "Word inside identifiers that carry the vendor's name",
  },
  workers: {
    type: 'integer',
    default: 1,
    min: 1,
    max: 256,
    help: 'Processes that serve and share the port; one more watches over them',
  },
  repositories: {
    type: 'list',
    default: ['default'],
    always: ['default'],
    pattern: { matches: /^[a-zA-Z][\w-]*$/, expected: 'a name of letters, digits, - and _' },
    help: "Repositories to serve; 'default' is always one of them",
  },
  adminPassword: {
    type: 'secret',
    default: 'Administrator',
    help: "Password of the first user, Administrator, until somebody chooses another; as long as the default one ('Administrator') is stored, only loopback hosts are allowed",
  },
  logLevel: {
    type: 'choice',
    choices: ['silent', 'error', 'warn', 'info', 'debug'],
    default: 'info',
    help: 'Least serious messages to log',
  },
  config: { type: 'string', help: 'Configuration file; without it quire.config.ts in the current folder, if there is one' },
})

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

export type ServerSettings = SettingValues<typeof serverSettings>

import { defineSettings, type SettingValues } from './define-settings.ts'

/** What the server needs before it can listen. */
export const serverSettings = defineSettings({
  host: {
    type: 'string',
    default: '127.0.0.1',
    pattern: { matches: /^[\w.:-]+$/, expected: 'an address or a host name' },
    help: 'Address to listen on',
  },
  port: { type: 'integer', default: 8080, min: 0, max: 65535, help: 'Port to listen on; 0 takes any free one and prints it' },
  data: {
    type: 'string',
    default: './data',
    pattern: { matches: /./, expected: 'a folder' },
    help: 'Folder of the embedded database and the files',
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

export type ServerSettings = SettingValues<typeof serverSettings>

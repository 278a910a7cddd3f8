import { join, resolve } from 'node:path'
import packageJson from '../../../package.json' with { type: 'json' }
import type { Settings } from '../../builtin-settings.ts'
import type { AdministratorPassword } from '../../settings/administrator-password.ts'
import type { RunningServer } from './running-server.ts'

/** What an operator wants to see of a server that has started, without anything secret. */
export interface StartFacts {
  readonly version: string
  readonly url: string
  /** Where it is another one. */
  readonly encryptedUrl?: string
  readonly database: string
  readonly files: string
  readonly workers: number
}

export function startFacts(
  { url, encryptedUrl }: Pick<RunningServer, 'url' | 'encryptedUrl'>,
  { data, databaseUrl, blobs, workers }: Pick<Settings, 'data' | 'databaseUrl' | 'blobs' | 'workers'>,
): StartFacts {
  const database = databaseUrl === undefined ? `SQLite in ${resolve(data)}` : `PostgreSQL at ${placeIn(databaseUrl)}`
  const files = /^s3:/i.test(blobs ?? '') ? `${blobs}`.replace(/\?.*/, '') : resolve(blobs ?? join(data, 'blobs'))
  const other = encryptedUrl === undefined || encryptedUrl === url ? {} : { encryptedUrl }
  return { version: packageJson.version, url, ...other, database, files, workers }
}

/** Where it listens and on what, then who may sign in. Programs read the address from the first line. */
export function startLines(facts: StartFacts, administratorPassword: AdministratorPassword, isConfigured: boolean): string {
  const { version, url, encryptedUrl, database, files, workers } = facts
  const urls = encryptedUrl === undefined ? url : `${url} and ${encryptedUrl}`
  const workersText = `${workers} ${workers === 1 ? 'worker' : 'workers'}`
  return [
    `Quire ${version} listens on ${urls} (database: ${database}, files: ${files}, ${workersText})`,
    passwordLine(administratorPassword, isConfigured),
  ].join('\n')
}

const changeIt = 'change it with "quire user password Administrator"'

function passwordLine(password: AdministratorPassword, isConfigured: boolean): string {
  switch (password) {
    case 'default':
      return `Sign in as Administrator with the password 'Administrator': ${changeIt} before anyone else can reach this server`
    case 'configured':
      return 'Sign in as Administrator with the password in QUIRE_ADMIN_PASSWORD'
    case 'chosen':
      return `Sign in as Administrator with the password that was chosen${isConfigured ? '; the one in QUIRE_ADMIN_PASSWORD is not used' : ''}`
    case 'none':
      return 'There is no user named Administrator; sign in as one of the others'
  }
}

/** Host and name of a database: the rest of its address may hold a password. */
function placeIn(databaseUrl: string): string {
  const url = URL.parse(databaseUrl)
  return url === null ? 'an address of your own' : `${url.host || url.searchParams.get('host') || 'localhost'}${url.pathname}`
}

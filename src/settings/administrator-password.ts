import { isIPv4 } from 'node:net'
import { defineProblem } from '../base/problem.ts'
import { serverSettings } from './server-settings.ts'

export const administratorUnprotected = defineProblem(
  'administratorUnprotected',
  'forbidden',
  (server: { host: string }) =>
    `refusing to listen on ${server.host}, where others can reach it, while Administrator has the default password: ` +
    'set QUIRE_ADMIN_PASSWORD, change it with quire user password Administrator, or keep --host 127.0.0.1',
)

/** The user that a new server starts with, and its publicly known default password. */
export const firstAdministrator = 'Administrator'
export const defaultPassword = serverSettings.adminPassword.default

/**
 * Which password that user has: the default, the one in the settings, or one that was chosen later, which no
 * setting replaces; `none` once the user is gone.
 */
export type AdministratorPassword = 'default' | 'configured' | 'chosen' | 'none'

export function isDefaultPassword(password: string): boolean {
  return password === defaultPassword
}

/** With the default password, only programs on the same machine may reach the server. */
export function requireProtectedAdministrator(host: string, password: AdministratorPassword): void {
  if (password === 'default' && !isLoopback(host)) throw administratorUnprotected({ host })
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

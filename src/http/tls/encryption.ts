import { defineProblem } from '../../base/problem.ts'
import type { HttpValues } from '../settings.ts'

/** How the server speaks TLS. */
export interface Encryption {
  readonly port: number
  readonly files: CertificateFiles
  readonly minVersion: 'TLSv1.2' | 'TLSv1.3'
  /** How often the files are looked at. */
  readonly lookMilliseconds: number
}

export interface CertificateFiles {
  readonly certificate: string
  readonly key: string
  readonly passphrase: string | undefined
}

/** What the port without TLS does where there is one for https. */
export type PlainHttp = 'serve' | 'redirect' | 'off'

type EncryptionValues = Pick<
  HttpValues,
  'httpsPort' | 'httpsCertificate' | 'httpsKey' | 'httpsKeyPassphrase' | 'httpsMinVersion' | 'plainHttp'
>

export const certificateMissing = defineProblem(
  'certificateMissing',
  'invalid',
  (_: object) =>
    '--https-port needs --https-certificate, a file with the certificate in PEM, and --https-key where that does not hold the key, too',
)

export const nothingToListenOn = defineProblem(
  'nothingToListenOn',
  'invalid',
  (of: { plainHttp: string }) => `--plain-http=${of.plainHttp} needs --https-port, or nobody could be served`,
)

// A file is taken up once it looks the same twice: programs that renew certificates write one file after the other.
const lookMilliseconds = 10_000

/** @throws certificateMissing, nothingToListenOn */
export function encryptionOf(settings: EncryptionValues): Encryption | undefined {
  const { httpsPort: port, httpsCertificate: certificate, plainHttp } = settings
  if (port === 0 && plainHttp !== 'serve') throw nothingToListenOn({ plainHttp })
  if (port === 0) return undefined
  if (certificate === undefined) throw certificateMissing({})
  return {
    port,
    files: { certificate, key: settings.httpsKey ?? certificate, passphrase: settings.httpsKeyPassphrase },
    minVersion: `TLSv${settings.httpsMinVersion}`,
    lookMilliseconds,
  }
}

/** The value of Strict-Transport-Security, for answers over https; undefined for none (contract: security 9.4). */
export function transportSecurityOf({
  hstsEnabled,
  hstsMaxAge,
  hstsIncludeSubdomains,
  hstsPreload,
}: Pick<HttpValues, 'hstsEnabled' | 'hstsMaxAge' | 'hstsIncludeSubdomains' | 'hstsPreload'>): string | undefined {
  if (!hstsEnabled) return undefined
  return `max-age=${hstsMaxAge}${hstsIncludeSubdomains ? '; includeSubDomains' : ''}${hstsPreload ? '; preload' : ''}`
}

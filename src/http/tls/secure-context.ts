import { constants } from 'node:crypto'
import type { SecureContextOptions } from 'node:tls'
import { type Certificate, certificateUnusable } from './certificate.ts'
import type { Encryption } from './encryption.ts'

/** `node:tls`, for a server that speaks it: to load it takes a share of the time to start. */
export const tls = () => process.getBuiltinModule('node:tls')

/** How the server speaks TLS with a certificate. @throws certificateUnusable for one that OpenSSL finds too weak, or its chain broken */
export function secureOptions(certificate: Certificate, { minVersion }: Pick<Encryption, 'minVersion'>): SecureContextOptions {
  const { cert, key, passphrase } = certificate
  const options: SecureContextOptions = {
    cert,
    key,
    minVersion,
    ...(passphrase !== undefined && { passphrase }),
    // A client that begins anew again and again has the server work for nothing; TLS 1.3 knows no such thing.
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  }
  try {
    tls().createSecureContext(options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw certificateUnusable({ reason: `OpenSSL says: ${reason}` }, { cause: error })
  }
  return options
}

import { constants, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { SecureContextOptions } from 'node:tls'
import { defineProblem } from '../../base/problem.ts'
import type { CertificateFiles, Encryption } from './encryption.ts'

/** What the server shows, and the key that it proves itself by. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  readonly passphrase: string | undefined
  readonly subject: string
  readonly validUntil: Date
}

export const certificateUnusable = defineProblem(
  'certificateUnusable',
  'invalid',
  (of: { reason: string }) => `The certificate for https cannot be used: ${of.reason}.`,
)

// Chains of certificates have a few kilobytes.
const maxBytes = 1_048_576

/** @throws certificateUnusable */
export async function readCertificate({ certificate: file, key: keyFile, passphrase }: CertificateFiles): Promise<Certificate> {
  const cert = await readText(file)
  const key = keyFile === file ? cert : await readText(keyFile)
  const parsed = parseCertificate(file, cert)
  if (!parsed.checkPrivateKey(openKey(keyFile, key, passphrase)))
    throw certificateUnusable({ reason: `the key in ${keyFile} is not that of the certificate in ${file}` })
  return { cert, key, passphrase, subject: parsed.subject.replaceAll('\n', ', '), validUntil: new Date(parsed.validTo) }
}

async function readText(file: string): Promise<string> {
  try {
    await using handle = await open(file)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes + 1))
    if (bytesRead > maxBytes) throw certificateUnusable({ reason: `${file} has more than ${maxBytes} bytes` })
    return buffer.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (certificateUnusable.is(error)) throw error
    const { code = 'unknown' } = error as { readonly code?: string }
    throw certificateUnusable({ reason: `${file} cannot be read (${code})` }, { cause: error })
  }
}

function parseCertificate(file: string, text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch (error) {
    throw certificateUnusable({ reason: `there is no certificate in PEM in ${file}` }, { cause: error })
  }
}

function openKey(file: string, text: string, passphrase: string | undefined): KeyObject {
  const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(text)
  if (isEncrypted && passphrase === undefined)
    throw certificateUnusable({ reason: `the key in ${file} is encrypted: set QUIRE_HTTPS_KEY_PASSPHRASE` })
  try {
    return createPrivateKey({ key: text, ...(isEncrypted && { passphrase }) })
  } catch (error) {
    const reason = isEncrypted
      ? `QUIRE_HTTPS_KEY_PASSPHRASE does not open the key in ${file}`
      : `there is no private key in PEM in ${file}`
    throw certificateUnusable({ reason }, { cause: error })
  }
}

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

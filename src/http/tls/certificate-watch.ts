import { stat } from 'node:fs/promises'
import type { Log } from '../../base/log.ts'
import { type Certificate, readCertificate } from './certificate.ts'
import type { CertificateFiles } from './encryption.ts'

const dayMilliseconds = 86_400_000
const shortDays = 7

interface WatchWith {
  /** @throws when it cannot be used after all */
  use(certificate: Certificate): void
  readonly log: Log
  now?(): number
}

/**
 * Takes certificates up that are renewed while the server runs, and tells of those that nobody renews. What cannot be used is told
 * once, and the server goes on with what it has.
 */
export class CertificateWatch {
  readonly #files: CertificateFiles
  readonly #use: WatchWith['use']
  readonly #log: Log
  readonly #now: () => number
  #certificate: Certificate
  /** As the files were when they were last read. */
  #taken: string
  #seen: string
  #warnedAt = Number.NEGATIVE_INFINITY
  #looking: NodeJS.Timeout | undefined

  private constructor(files: CertificateFiles, first: { certificate: Certificate; state: string }, watchWith: WatchWith) {
    this.#files = files
    this.#certificate = first.certificate
    this.#taken = first.state
    this.#seen = first.state
    this.#use = watchWith.use
    this.#log = watchWith.log
    this.#now = watchWith.now ?? Date.now
  }

  /** Reads what is there now. @throws certificateUnusable */
  static async open(files: CertificateFiles, watchWith: WatchWith): Promise<CertificateWatch> {
    const state = await stateOf(files)
    return new CertificateWatch(files, { certificate: await readCertificate(files), state }, watchWith)
  }

  get certificate(): Certificate {
    return this.#certificate
  }

  async start(lookMilliseconds: number): Promise<void> {
    await this.look()
    const lookAgain = () => {
      this.#looking = setTimeout(() => this.look().finally(() => this.#looking && lookAgain()), lookMilliseconds).unref()
    }
    lookAgain()
  }

  stop(): void {
    clearTimeout(this.#looking)
    this.#looking = undefined
  }

  /** What has changed is read once it looks the same twice: one file is written after the other. */
  async look(): Promise<void> {
    const found = await stateOf(this.#files)
    if (found !== this.#taken && found === this.#seen) {
      this.#taken = found
      await this.#renew()
    }
    this.#seen = found
    this.#warnOfEnd()
  }

  async #renew(): Promise<void> {
    try {
      const certificate = await readCertificate(this.#files)
      this.#use(certificate)
      this.#certificate = certificate
      this.#warnedAt = Number.NEGATIVE_INFINITY
      const { subject, validUntil } = certificate
      this.#log.info({ event: 'https.certificateRenewed', subject, validUntil }, 'a renewed certificate is in use')
    } catch (err) {
      this.#log.error(
        { event: 'https.certificateUnusable', err },
        'a renewed certificate cannot be used, the one before is in use',
      )
    }
  }

  #warnOfEnd(): void {
    const { subject, validUntil } = this.#certificate
    const now = this.#now()
    if (validUntil.getTime() - now > shortDays * dayMilliseconds || now - this.#warnedAt < dayMilliseconds) return
    this.#warnedAt = now
    const sentence =
      validUntil.getTime() < now ? 'the certificate for https has expired' : 'the certificate for https expires soon'
    this.#log.warn({ event: 'https.certificateExpires', subject, validUntil }, sentence)
  }
}

/** Which files there are and when they were written; through links, which is how many programs exchange them. */
async function stateOf({ certificate, key }: CertificateFiles): Promise<string> {
  return (await Promise.all([certificate, key].map(stateOfFile))).join(' ')
}

async function stateOfFile(file: string): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(file, { bigint: true })
    return `${ino}/${mtimeNs}/${size}`
  } catch (error) {
    return (error as { readonly code?: string }).code ?? 'unreadable'
  }
}

import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail as it came in. */
export interface ReceivedMail {
  /** The envelope: to whom it went, whatever its headers say. */
  readonly to: readonly string[]
  readonly from: string
  readonly raw: string
  readonly parsed: Email
}

/** A real server of mail on a free port. */
export interface MailServer {
  readonly url: string
  readonly received: readonly ReceivedMail[]
  /** Mails to the address, once there are so many of them. */
  mailsTo(address: string, count?: number): Promise<readonly ReceivedMail[]>
  /** Stops listening, as a server does that is down; what it has received stays. */
  down(): Promise<void>
  up(): Promise<void>
  clear(): void
  stop(): Promise<void>
}

export interface MailServerOptions {
  /** Gives the refusal of an address, if it is to be refused. */
  readonly refuse?: (address: string) => { readonly code: number; readonly message: string } | undefined
  /** Called before a mail is acknowledged. */
  readonly onMail?: () => Promise<void>
}

const patienceMillis = 60_000

export async function startMailServer({ refuse = () => undefined, onMail }: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let port = 0
  let server: SMTPServer | undefined
  const coming = new Set<Promise<void>>()

  function createServer(): SMTPServer {
    return new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      logger: false,
      closeTimeout: 100,
      onRcptTo({ address }, _session, callback) {
        const refusal = refuse(address)
        callback(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }))
      },
      onData(stream, { envelope }, callback) {
        const take = async () => {
          const raw = await text(stream)
          const from = envelope.mailFrom === false ? '' : (envelope.mailFrom?.address ?? '')
          received.push({ raw, from, to: envelope.rcptTo.map(({ address }) => address), parsed: await PostalMime.parse(raw) })
          await onMail?.()
        }
        const taken: Promise<void> = take()
          .then(() => callback(), callback)
          .finally(() => coming.delete(taken))
        coming.add(taken)
      },
    })
  }

  async function up(): Promise<void> {
    const created = createServer()
    server = created
    // Clients that are killed leave broken connections behind.
    created.on('error', () => undefined)
    await new Promise<void>((resolve) => created.listen(port, '127.0.0.1', resolve))
    port = (created.server.address() as AddressInfo).port
  }

  async function down(): Promise<void> {
    const stopped = server
    server = undefined
    if (stopped !== undefined) await new Promise<void>((resolve) => stopped.close(() => resolve()))
    // What came in before counts as received.
    await Promise.all(coming)
  }

  await up()
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    async mailsTo(address, count = 1) {
      const patience = AbortSignal.timeout(patienceMillis)
      for (;;) {
        const found = received.filter(({ to }) => to.includes(address))
        if (found.length >= count) return found
        assert.ok(!patience.aborted, `${found.length} of ${count} mails to ${address}, ${received.length} in all`)
        await wait(10)
      }
    },
    down,
    up,
    clear: () => void received.splice(0),
    stop: down,
  }
}

/** One mail to the address. */
export async function mailTo(server: MailServer, address: string): Promise<ReceivedMail> {
  const [mail] = await server.mailsTo(address)
  assert.ok(mail)
  return mail
}

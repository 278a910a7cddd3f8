import { open, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { Log } from '../../base/log.ts'
import { makeFolder } from '../../base/make-folder.ts'
import { defineProblem } from '../../base/problem.ts'
import { PermanentFailure } from '../../core/jobs/worker.ts'
import { findMailbox, type Mailbox } from './mailbox.ts'
import type { MailValues } from './settings.ts'

/** A mail as it is handed to the next server. */
export interface ComposedMail {
  /** The same however often it is sent, so that servers and people can tell a repetition. */
  readonly id: string
  readonly from: Mailbox
  readonly to: readonly Mailbox[]
  readonly cc?: readonly Mailbox[]
  readonly bcc?: readonly Mailbox[]
  readonly replyTo?: readonly Mailbox[]
  readonly subject: string
  readonly text?: string
  readonly html?: string
  readonly headers?: { readonly [name: string]: string }
  readonly attachments?: readonly MailAttachment[]
}

export interface MailAttachment {
  readonly name: string
  readonly type: string
  open(): Promise<Readable>
}

/** Hands mail on: to a server, or to a folder. */
export interface MailTransport {
  /** The sender of whatever names no other. */
  readonly sender: Mailbox
  /** Loads what sending takes, so that little time passes between finding out who may have a mail and sending it. */
  prepare(): Promise<unknown>
  /** @throws PermanentFailure where the server will never take it, and anything else where it may later. */
  send(mail: ComposedMail): Promise<void>
}

export const wrongMailSetting = defineProblem('wrongMailSetting', 'invalid', (of: { what: string }) => of.what)

const ownSender: Mailbox = { address: 'quire@localhost', name: 'Quire' }
/** To the server of mail. Those that take mail from programs allow some ten from one address; one who causes much mail gets half. */
export const connectionsAtOnce = 8
const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 }

interface TransportEnvironment {
  readonly log: () => Log
  /** Aborted when the server stops. */
  readonly stopping: () => AbortSignal
  readonly folder: () => string
}

/** @throws wrongMailSetting */
export function createTransport(values: MailValues, environment: TransportEnvironment): MailTransport {
  const { smtpUrl, mailFrom } = values
  const sender = mailFrom === undefined ? undefined : findMailbox(mailFrom)
  if (mailFrom !== undefined && sender === undefined)
    throw wrongMailSetting({ what: 'mailFrom must be an address, or a name with one: Quire <quire@example.org>' })
  if (smtpUrl === undefined) return createFolderTransport(sender ?? ownSender, environment)
  if (sender === undefined)
    throw wrongMailSetting({ what: 'smtpUrl needs mailFrom as well: set --mail-from to the address that mail comes from' })
  return createSmtpTransport(smtpOptions(values, smtpUrl), sender, environment)
}

/** Connects to the server and says who is there, and sends nothing. @throws wrongMailSetting, and what the server or the network says */
export async function verifyMailServer(values: MailValues): Promise<void> {
  const { smtpUrl, mailFrom } = values
  if (smtpUrl === undefined) return
  if (mailFrom === undefined || findMailbox(mailFrom) === undefined)
    throw wrongMailSetting({ what: 'smtpUrl needs mailFrom as well: set --mail-from to the address that mail comes from' })
  const { createTransport: create } = await import('nodemailer')
  const connection = create({ ...smtpOptions(values, smtpUrl), ...patience })
  try {
    await connection.verify()
  } finally {
    connection.close()
  }
}

interface SmtpOptions {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly requireTLS: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
}

function smtpOptions({ smtpPassword: pass }: MailValues, text: string): SmtpOptions {
  const url = new URL(text)
  if (url.password !== '')
    throw wrongMailSetting({ what: 'smtpUrl must not hold a password: set QUIRE_SMTP_PASSWORD to it instead' })
  const user = decodeURIComponent(url.username)
  if ((user === '') !== (pass === undefined))
    throw wrongMailSetting({
      what: 'smtpUrl and QUIRE_SMTP_PASSWORD belong together: name the user in the one (smtp://user@host) and set the other, or neither',
    })
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === '') throw wrongMailSetting({ what: 'smtpUrl names no host: write smtp://mail.example.org:587' })
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // A password goes to another machine over TLS or not at all.
    requireTLS: !secure && pass !== undefined && !isLoopback(host),
    ...(pass !== undefined && { auth: { user, pass } }),
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

/** Connections stay open between mails and are closed with the server. */
function createSmtpTransport(options: SmtpOptions, sender: Mailbox, environment: TransportEnvironment): MailTransport {
  let pool: Promise<Transporter> | undefined

  async function connect(): Promise<Transporter> {
    const { createTransport: create } = await import('nodemailer')
    const stopping = environment.stopping()
    stopping.throwIfAborted()
    const made = create({
      ...options,
      pool: true,
      maxConnections: connectionsAtOnce,
      // A mail whose connection broke is made anew, for who may have it then, and not sent by the pool as it was.
      maxRequeues: 0,
      ...patience,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    stopping.addEventListener('abort', () => made.close(), { once: true })
    return made
  }

  function openPool(): Promise<Transporter> {
    pool ??= connect()
    return pool
  }

  return {
    sender,
    prepare: openPool,
    async send(mail) {
      const connections = await openPool()
      try {
        const { rejected = [] } = await connections.sendMail(await messageOf(mail, sender))
        if (rejected.length > 0)
          environment
            .log()
            .warn(
              { event: 'mail.partlyRejected', mail: mail.id, rejected: rejected.length },
              'some addresses of a mail were refused',
            )
      } catch (error) {
        throw isFinal(error) ? new PermanentFailure((error as Error).message, { cause: error }) : error
      }
    },
  }
}

/** The server has looked at the mail or its addresses and will not take it. What is about itself or us may pass. */
function isFinal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as { readonly code?: string; readonly responseCode?: number }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && (responseCode >= 500 || responseCode === 0)
}

/** For a server that was not told of any other: nothing is lost, and nobody is written to by mistake. */
function createFolderTransport(sender: Mailbox, { log, folder }: TransportEnvironment): MailTransport {
  let isTold = false
  const load = () => import('nodemailer')
  return {
    sender,
    prepare: load,
    async send(mail) {
      const { createTransport: create } = await load()
      const path = resolve(folder())
      if (!isTold) log().warn({ event: 'mail.toFolder', folder: path }, 'mail goes to files, as --smtp-url is not set')
      isTold = true
      const stream = create({
        streamTransport: true,
        buffer: true,
        newline: 'windows',
        disableFileAccess: true,
        disableUrlAccess: true,
      })
      const { message } = await stream.sendMail(await messageOf(mail, sender))
      await makeFolder(path)
      await writeWhole(path, `${mail.id}.eml`, message as Buffer)
    },
  }
}

async function messageOf(mail: ComposedMail, sender: Mailbox): Promise<SendMailOptions> {
  const { id, from, to, cc = [], bcc = [], replyTo = [], subject, text, html, headers = {}, attachments = [] } = mail
  const files = await Promise.all(
    attachments.map(async ({ name, type, open: openFile }) => ({ filename: name, contentType: type, content: await openFile() })),
  )
  const all = [...to, ...cc, ...bcc]
  return {
    // Whoever it says that it comes from: what cannot be delivered comes back to this server's own address.
    envelope: { from: sender.address, to: all.map(({ address }) => address) },
    ...(from.address !== sender.address && { sender: withName(sender) }),
    messageId: `<${id}@${domainOf(sender)}>`,
    from: withName(from),
    to: to.map(withName),
    cc: cc.map(withName),
    replyTo: replyTo.map(withName),
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
    attachments: files,
  }
}

function withName({ name = '', address }: Mailbox): { name: string; address: string } {
  return { name, address }
}

function domainOf({ address }: Mailbox): string {
  return address.slice(address.lastIndexOf('@') + 1)
}

/** Seen whole or not at all; sent twice, it is one file. */
async function writeWhole(folder: string, name: string, bytes: Buffer): Promise<void> {
  const part = join(folder, `${name}.part`)
  const file = await open(part, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, join(folder, name))
}

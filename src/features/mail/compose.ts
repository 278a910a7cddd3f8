import { isMailAddress } from '../../base/mail-address.ts'
import { accessTo, systemAccess } from '../../core/access.ts'
import { openBlob } from '../../core/blobs/open-blob.ts'
import { throughProxy } from '../../core/documents/proxies/proxy.ts'
import { PermanentFailure } from '../../core/jobs/worker.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { User } from '../../core/principals/accounts.ts'
import type { Repository } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isOwn, isTransient } from '../../model/rights/principal.ts'
import { documentUrl } from '../../rest/document-url.ts'
import type { Services } from '../../rest/services.ts'
import { settleGuest } from '../guests/index.ts'
import { findUserLocale } from '../user-profile/index.ts'
import type {
  DigestItem,
  MailTexts,
  OrderedMail,
  StoredAttachment,
  StoredMailbox,
  TemplateMail,
  WrittenMail,
} from './mail-order.ts'
import { headerText, type Mailbox } from './mailbox.ts'
import { displayNameOf, mailboxOf } from './receivers.ts'
import { contentName, renderHtml, renderText, type TemplateValues } from './template.ts'
import type { MailTemplate, MailTemplates } from './template-files.ts'
import type { ComposedMail, MailAttachment } from './transport.ts'
import { type UnsubscribeLinks, unsubscribePath } from './unsubscribe-link.ts'

/** What the words of mails depend on. */
export interface MailRules {
  readonly services: Services
  readonly templates: MailTemplates
  readonly links: UnsubscribeLinks
  readonly sender: Mailbox
  /** Of the server as people reach it; ends with a slash. */
  readonly baseUrl: string
  readonly subjectPrefix: () => string
  readonly documentUrlPattern: () => string
}

/** Why a mail is not sent: nothing went wrong, but nobody is to get it. */
export interface Unsent {
  readonly unsent: 'noAddress' | 'noSuchUser' | 'notReadable'
}

const longestSubject = 500

/** Makes the mail of an order as of now. @throws PermanentFailure where that can never be done */
export async function composeMail(rules: MailRules, repository: Repository, mail: OrderedMail): Promise<ComposedMail | Unsent> {
  return mail.kind === 'written' ? composeWritten(repository, mail) : composeTemplate(rules, repository, mail)
}

function composeWritten(repository: Repository, mail: WrittenMail): ComposedMail {
  const { id, from, to, cc, bcc, replyTo, subject, body, attachments } = mail
  return {
    id,
    from: mailboxIn(from),
    to: to.map(mailboxIn),
    cc: cc.map(mailboxIn),
    bcc: bcc.map(mailboxIn),
    replyTo: replyTo.map(mailboxIn),
    subject: headerText(subject, longestSubject),
    ...body,
    attachments: attachments.map((attachment) => attachmentOf(repository, attachment)),
  }
}

function mailboxIn({ address, name }: StoredMailbox): Mailbox {
  return name === '' ? { address } : { address, name }
}

function attachmentOf({ blobs }: Repository, { key, name, type, length, text }: StoredAttachment): MailAttachment {
  const bytes = text === null ? {} : { bytes: Buffer.from(text) }
  const blob = { key, name, 'mime-type': type, encoding: null, digest: key, digestAlgorithm: 'SHA-256', length }
  return { name, type, open: () => openBlob(blobs, { blob, ...bytes }) }
}

interface Receiver {
  readonly mailbox: Mailbox
  readonly name: string
  readonly languages: readonly string[]
  /** Undefined: somebody without an account. */
  readonly user?: User
}

async function composeTemplate(rules: MailRules, repository: Repository, mail: TemplateMail): Promise<ComposedMail | Unsent> {
  const receiver = await findReceiver(rules, repository, mail)
  if ('unsent' in receiver) return receiver
  const template = await rules.templates.find(mail.template, receiver.languages)
  if (template === undefined)
    throw new PermanentFailure(`There is no mail template ${mail.template}: put ${mail.template}.en.txt into --mail-templates.`)
  const about = await valuesAbout(rules, repository, mail, receiver, template.language)
  if (about === undefined) return { unsent: 'notReadable' }
  const unsubscribeUrl = await findUnsubscribeUrl(rules, repository, mail, receiver)
  const values = {
    ...wordsIn(rules, mail, template.language),
    ...(await commonValues(rules, mail, receiver, template.language)),
    ...about,
    unsubscribeUrl,
  }
  return {
    id: mail.id,
    from: rules.sender,
    to: [receiver.mailbox],
    ...rendered(template, values),
    headers: {
      'Content-Language': template.language,
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        Precedence: 'bulk',
      }),
    },
  }
}

function rendered(
  { subject, text, html, layout }: MailTemplate,
  values: TemplateValues,
): Pick<ComposedMail, 'subject' | 'text' | 'html'> {
  const line = headerText(renderText(subject, values), longestSubject)
  const content = html && renderHtml(html, { ...values, subject: line })
  const page =
    content && (layout === undefined ? content : renderHtml(layout, { ...values, subject: line, [contentName]: content }))
  return { subject: line, text: renderText(text, values), ...(page !== undefined && { html: page }) }
}

async function findReceiver(
  rules: MailRules,
  repository: Repository,
  { receiver, time }: TemplateMail,
): Promise<Receiver | Unsent> {
  if ('address' in receiver) {
    const { address, name } = receiver
    if (!isMailAddress(address)) throw new PermanentFailure('The address of the receiver is none: it needs the form name@host.')
    return { mailbox: mailboxIn({ address, name: headerText(name, 200) }), name: name || address, languages: [] }
  }
  const user = await rules.services.principals.findUser(receiver.user)
  // Nor is it for whoever has the name since.
  if (user === undefined || !isOwn(user.principal, user.principal.name, time)) return { unsent: 'noSuchUser' }
  const mailbox = mailboxOf(user)
  if (mailbox === undefined) return { unsent: 'noAddress' }
  const locale = await systemAccess(repository.home).read((session) => findUserLocale(session, user.principal.name))
  return { mailbox, name: displayNameOf(user), languages: locale === undefined ? [] : [locale], user }
}

async function commonValues(
  { services, baseUrl, subjectPrefix }: MailRules,
  { actor, time }: TemplateMail,
  { name }: Receiver,
  language: string,
): Promise<TemplateValues> {
  return {
    prefix: subjectPrefix(),
    receiver: name,
    actor: await nameOf(services, actor),
    date: dateIn(language, time),
    serverUrl: baseUrl,
  }
}

function wordsIn({ baseUrl }: MailRules, { words }: TemplateMail, language: string): TemplateValues {
  const mapped = (words: MailTexts, write: (text: string) => string) =>
    Object.entries(words).map(([name, text]) => [name, write(text)] as const)
  return Object.fromEntries([
    ...mapped(words.texts, (text) => text),
    ...mapped(words.dates, (date) => dateIn(language, date)),
    ...mapped(words.paths, (path) => `${baseUrl}${path}`),
  ])
}

async function nameOf({ principals }: Services, name: string): Promise<string> {
  const user = await principals.findUser(name)
  return user === undefined ? name : displayNameOf(user)
}

function dateIn(language: string, time: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return `${format.format(new Date(time))} UTC`
}

/** Of what the receiver may read at this moment; undefined when that is nothing. */
async function valuesAbout(
  rules: MailRules,
  repository: Repository,
  { documentId, items }: TemplateMail,
  receiver: Receiver,
  language: string,
): Promise<TemplateValues | undefined> {
  if (items !== null) {
    const shown = (await Promise.all(items.map((item) => valuesOfItem(rules, repository, item, receiver, language)))).filter(
      (one) => one !== undefined,
    )
    return shown.length === 0 ? undefined : { items: shown, count: String(shown.length) }
  }
  if (documentId === null) return {}
  const document = await findReadable(repository, receiver, documentId)
  if (document === undefined) return undefined
  const values = documentValues(rules, repository, document)
  return { ...values, documentUrl: await urlFor(rules, receiver, values.documentUrl) }
}

/** A guest has no password: what lets them in is in the link (contract: adapters 3.3). */
async function urlFor({ services }: MailRules, { user }: Receiver, url: string): Promise<string> {
  if (user === undefined || !isTransient(user.principal.name)) return url
  const token = await settleGuest(services, user.principal.name)
  if (token === undefined || !URL.canParse(url)) return url
  const withToken = new URL(url)
  withToken.searchParams.set('token', token)
  return withToken.href
}

async function valuesOfItem(
  rules: MailRules,
  repository: Repository,
  { documentId, subscription, actor, time, comment }: DigestItem,
  receiver: Receiver,
  language: string,
): Promise<TemplateValues | undefined> {
  const document = await findReadable(repository, receiver, documentId)
  if (document === undefined) return undefined
  const { notification } = subscription
  return {
    ...documentValues(rules, repository, document),
    notification,
    unsubscribeUrl: await findUnsubscribeUrl(rules, repository, { subscription }, receiver),
    [`is${notification.replace(/[^A-Za-z]/g, '')}`]: 'true',
    actor: await nameOf(rules.services, actor),
    date: dateIn(language, time),
    comment,
  }
}

async function findReadable(repository: Repository, { user }: Receiver, id: string): Promise<Document | undefined> {
  if (user === undefined) return undefined
  return accessTo(repository, user.principal).read(async (session) => {
    const document = await session.reader.documents.find(id)
    if (document === undefined || !(await hasPermission(session, document, 'Read'))) return undefined
    return throughProxy(session, document)
  })
}

export function documentValues(
  { baseUrl, documentUrlPattern }: MailRules,
  repository: Repository,
  document: Document,
): { readonly title: string; readonly documentType: string; readonly documentUrl: string } {
  const title = document.properties['dc:title']
  return {
    title: typeof title === 'string' && title !== '' ? title : document.name,
    documentType: document.type,
    documentUrl: documentUrl(documentUrlPattern(), { base: baseUrl, repo: repository.name, id: document.id }),
  }
}

async function findUnsubscribeUrl(
  { baseUrl, links }: MailRules,
  { name: repository }: Repository,
  { subscription }: Pick<TemplateMail, 'subscription'>,
  { user }: Receiver,
): Promise<string | undefined> {
  if (subscription === null || user === undefined) return undefined
  const token = await links.create({ repository, ...subscription, user: user.principal.name })
  return `${baseUrl}${unsubscribePath}?token=${token}`
}

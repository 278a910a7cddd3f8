import type { OperationContext } from '../../automation/context.ts'
import { defineOperation } from '../../automation/operation.ts'
import { defaulted, optional, type ParametersOf, required } from '../../automation/parameter.ts'
import { blobOfDocument } from '../../automation/values/flowing-blob.ts'
import { newId } from '../../base/ids.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import { blobsBelow, type DocumentBlob, mainBlob } from '../../core/blobs/document-blobs.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { parseXpath } from '../../model/properties/xpath.ts'
import { documentValues, type MailRules } from './compose.ts'
import { orderMail, type StoredAttachment, type StoredMailbox, type WrittenMail } from './mail-order.ts'
import { requireMailRate } from './mail-rate.ts'
import { headerText } from './mailbox.ts'
import { displayName } from './receivers.ts'
import { findRecipients, noRecipients, tooManyRecipients, wrongRecipient } from './recipients.ts'
import { mailSettings } from './settings.ts'
import { renderHtml, renderText } from './template.ts'

export const unknownMailTemplate = defineProblem(
  'unknownMailTemplate',
  'invalid',
  (of: { name: string }) => `There is no mail template ${of.name.slice(0, 100)}. Put its files into --mail-templates.`,
)

export const mailTooLarge = defineProblem(
  'mailTooLarge',
  'tooLarge',
  (of: { max: number }) => `The mail is larger than ${of.max} bytes with its files. Attach less, or send a link to the document.`,
)

export const fileNotMailed = defineProblem(
  'fileNotMailed',
  'forbidden',
  (of: { xpath: string }) => `You may not download ${of.xpath.slice(0, 100)}, and so not mail it. Leave it out of files.`,
)

const templatePrefix = 'template:'
const [longestSubject, mostFiles] = [1_000, 100]

const params = {
  message: required('string', { widget: 'MailTemplate', description: 'The text, or template: and the name of a template' }),
  subject: required('string'),
  from: required('string', { description: 'An address, or user: and a name' }),
  to: optional('stringlist', { description: 'Addresses, user:name, group:name' }),
  cc: optional('stringlist'),
  bcc: optional('stringlist'),
  replyto: optional('stringlist'),
  HTML: defaulted('boolean', false, { description: 'The message is HTML' }),
  files: optional('stringlist', { description: 'Where in the document the files are that are attached: file:content' }),
  rollbackOnError: defaulted('boolean', true, { description: 'False: what is wrong with the mail is only logged' }),
  'Strict User Resolution': defaulted('boolean', true, {
    description: 'Names of users and groups need user: and group: before them',
  }),
  viewId: defaulted('string', 'view_documents', { description: 'Of no effect: links lead to --document-url-pattern' }),
}

type MailParameters = ParametersOf<typeof params>

/** A mail about a document that somebody writes themselves (contract: operations 2.9). Who may is a matter of its binding: administrators, and chains. */
export const documentMail = (rules: MailRules) =>
  defineOperation({
    id: 'Document.Mail',
    aliases: ['Notification.SendMail'],
    category: 'Notification',
    description: 'Mails a text about the document to addresses, users and groups. Only for administrators.',
    effect: 'waits',
    access: { administrators: true },
    params,
    run: ({ each }) => [
      each('document', 'document', async (document, { session, params: given, context }) => {
        try {
          await send(rules, context, session, document, given)
        } catch (err) {
          if (given.rollbackOnError || !(err instanceof Problem)) throw err
          const about = { event: 'mail.notSent', document: document.id, code: err.code, err }
          context.services.log.warn(about, 'a mail that was asked for could not be sent')
        }
        return document
      }),
    ],
  })

async function send(
  rules: MailRules,
  context: OperationContext,
  session: Session,
  document: Document,
  given: MailParameters,
): Promise<void> {
  const mail = await writtenMail(rules, context, session, document, given)
  const recipients = mail.to.length + mail.cc.length + mail.bcc.length
  await context.write(async (writing) => {
    await requireMailRate(writing, context.services.valuesOf, recipients)
    await orderMail(writing, mail)
  })
}

/** @throws wrongRecipient, noRecipients, tooManyRecipients, unknownMailTemplate, mailTooLarge, fileNotMailed, unknownProperty */
async function writtenMail(
  rules: MailRules,
  context: OperationContext,
  session: Session,
  document: Document,
  given: MailParameters,
): Promise<WrittenMail> {
  const { from, subject, to = [], cc = [], bcc = [], replyto = [], files = [] } = given
  const { mailMaxBytes: max } = context.services.valuesOf(mailSettings)
  const people = await context.directories.read(async ({ reader: { directories } }) => {
    const lookup = { principals: context.services.principals, directories, isStrict: given['Strict User Resolution'] }
    const find = (parameter: string, texts: readonly string[]) => findRecipients(lookup, parameter, texts)
    const [sender] = await findRecipients({ ...lookup, isStrict: false }, 'from', [from])
    if (sender === undefined) throw wrongRecipient({ parameter: 'from', recipient: from, why: 'is no address' })
    const found = { to: await find('to', to), cc: await find('cc', cc), bcc: await find('bcc', bcc) }
    return { from: sender, ...found, replyTo: await find('replyto', replyto) }
  })
  requireFew(context, people)
  const attachments = await filesAt(context, session, document, files)
  const body = await bodyOf(rules, context, document, given)
  const bytes = attachments.reduce((sum, { length }) => sum + length, Buffer.byteLength(Object.values(body).join('')))
  if (bytes > max) throw mailTooLarge({ max })
  return { kind: 'written', id: newId(), ...people, subject: headerText(subject, longestSubject), body, attachments }
}

/** @throws noRecipients, tooManyRecipients */
function requireFew(
  { services }: OperationContext,
  { to, cc, bcc, replyTo }: { readonly [list in 'to' | 'cc' | 'bcc' | 'replyTo']: readonly StoredMailbox[] },
): void {
  const { mailMaxRecipients: max } = services.valuesOf(mailSettings)
  const count = to.length + cc.length + bcc.length
  if (count === 0) throw noRecipients({})
  if (count > max || replyTo.length > max) throw tooManyRecipients({ max })
}

/** The message as it is, or what a template makes of the document. @throws unknownMailTemplate */
async function bodyOf(
  rules: MailRules,
  { services, session: { principal, repository } }: OperationContext,
  document: Document,
  { message, subject, HTML: isHtml }: MailParameters,
): Promise<WrittenMail['body']> {
  if (!message.startsWith(templatePrefix)) return isHtml ? { html: message } : { text: message }
  const name = message.slice(templatePrefix.length).trim()
  const template = await rules.templates.find(name, [])
  if (template === undefined) throw unknownMailTemplate({ name })
  const user = await services.principals.findUser(principal.name)
  const values = {
    ...documentValues(rules, repository, document),
    subject,
    prefix: rules.subjectPrefix(),
    actor: displayName(principal.name, user?.properties ?? {}),
    serverUrl: rules.baseUrl,
  }
  return isHtml && template.html !== undefined
    ? { html: renderHtml(template.html, values) }
    : { text: renderText(template.text, values) }
}

async function filesAt(
  context: OperationContext,
  session: Session,
  document: Document,
  xpaths: readonly string[],
): Promise<readonly StoredAttachment[]> {
  const found = xpaths.flatMap((xpath) => blobsAt(session, document, xpath.trim()))
  const { mailMaxBytes: max } = context.services.valuesOf(mailSettings)
  if (found.length > mostFiles) throw mailTooLarge({ max })
  for (const file of found) {
    if (!(await context.host.mayDownload(session, blobOfDocument(document, file)))) throw fileNotMailed({ xpath: file.xpath })
  }
  return found.map(({ blob, bytes }) => ({
    key: blob.key,
    name: headerText(blob.name ?? 'file', 200),
    type: /^[\w.+-]+\/[\w.+-]+$/.test(blob['mime-type'] ?? '') ? String(blob['mime-type']) : 'application/octet-stream',
    length: blob.length,
    text: bytes === undefined ? null : Buffer.from(bytes).toString(),
  }))
}

/** @throws unknownProperty */
function blobsAt(session: Session, document: Document, xpath: string): readonly DocumentBlob[] {
  if (xpath === '') return []
  const main = mainBlob(session, document)
  return main?.xpath === xpath ? [main] : blobsBelow(document, parseXpath(session.model, xpath))
}

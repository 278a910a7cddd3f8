import { newId } from '../../base/ids.ts'
import { shortened } from '../../base/shortened.ts'
import { typedName } from '../../base/typed-name.ts'
import type { NameByName } from '../../core/jobs/each-name.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { actingName } from '../../model/rights/principal.ts'

/** Texts that a template is filled with beside what is known of the document and the receiver. */
export interface MailTexts {
  readonly [name: string]: string
}

/** What the caller of this feature knows and a template may say, by name. */
export interface MailWords {
  readonly texts?: MailTexts
  /** ISO 8601; written as the receiver writes dates. */
  readonly dates?: MailTexts
  /** Below the address of the server; written with it. */
  readonly paths?: MailTexts
}

/** A mail that a template makes, to users and the members of groups. */
export interface MailToPrincipals {
  /** `workflowTaskAssigned`: the files are in `data/mail`, or in the folder of the deployment. */
  readonly template: string
  /** `user:ann`, `group:staff`, or a bare name of either. */
  readonly to: readonly string[]
  /** What it is about. Only users who may read it when the mail is sent get one. */
  readonly document?: Pick<Document, 'id'>
  readonly words?: MailWords
}

/** The same to somebody who may have no account. */
export interface MailToAddress {
  readonly template: string
  readonly address: string
  readonly name?: string
  readonly words?: MailWords
}

/** As it waits to be sent. What a template makes is made when it is sent, for what may be read then. */
export type OrderedMail = TemplateMail | WrittenMail

export type TemplateMail = {
  readonly kind: 'template'
  readonly id: string
  readonly template: string
  readonly receiver: { readonly user: string } | { readonly address: string; readonly name: string }
  readonly documentId: string | null
  /** Who caused it. */
  readonly actor: string
  readonly time: string
  readonly words: { readonly texts: MailTexts; readonly dates: MailTexts; readonly paths: MailTexts }
  /** The subscription that it is sent for: it can be ended with one click. */
  readonly subscription: MailSubscription | null
  /** What happened, where several events are told of in one mail. */
  readonly items: readonly DigestItem[] | null
}

export type MailSubscription = {
  readonly documentId: string
  readonly notification: string
}

export type DigestItem = {
  readonly documentId: string
  readonly subscription: MailSubscription
  readonly actor: string
  readonly time: string
  readonly comment: string
}

/** What somebody has written themselves, with the addresses that were found then. */
export type WrittenMail = {
  readonly kind: 'written'
  readonly id: string
  readonly from: StoredMailbox
  readonly to: readonly StoredMailbox[]
  readonly cc: readonly StoredMailbox[]
  readonly bcc: readonly StoredMailbox[]
  readonly replyTo: readonly StoredMailbox[]
  readonly subject: string
  readonly body: { readonly text: string } | { readonly html: string }
  readonly attachments: readonly StoredAttachment[]
}

export type StoredMailbox = { readonly address: string; readonly name: string }

export type StoredAttachment = {
  readonly key: string
  readonly name: string
  readonly type: string
  readonly length: number
  /** What is in no store: the text of a note. */
  readonly text: string | null
}

/** As `addressMail` gets it. */
export type AddressedMail = Omit<TemplateMail, 'kind' | 'id' | 'receiver' | 'subscription' | 'items'> & {
  readonly to: readonly string[]
}

/** Finds out who is meant, and orders a mail for each. */
export const addressMailKind = typedName<AddressedMail & NameByName>('addressMail')
/** Sends one mail. */
export const sendMailKind = typedName<OrderedMail>('deliverMail')

const longestText = 5_000

/**
 * Mails a template to users and groups, about a document or about nothing in particular. In the transaction there is only a job;
 * who is in the groups, who may read the document and what it is called is found out when the mail is sent.
 * @example
 * const tellReviewers: Listener = {
 *   name: 'tellReviewers', when: 'inline', events: ['documentTrashed'],
 *   handle: ({ document }, session) => mailPrincipals(session, { template: 'modification', to: ['group:reviewers'], document }),
 * }
 */
export async function mailPrincipals(session: WriteSession, mail: MailToPrincipals): Promise<void> {
  const { template, to, document, words } = mail
  if (to.length === 0) return
  const payload: AddressedMail = { template, to, documentId: document?.id ?? null, ...orderedIn(session, words) }
  await session.tx.jobs.add(addressMailKind, payload, { owner: actingName(session.principal) })
}

/** Mails a template to an address, in the transaction of the session. */
export async function mailAddress(session: WriteSession, mail: MailToAddress): Promise<void> {
  const { template, address, name = '', words } = mail
  await orderMail(session, {
    kind: 'template',
    id: newId(),
    template,
    receiver: { address, name },
    documentId: null,
    subscription: null,
    items: null,
    ...orderedIn(session, words),
  })
}

export async function orderMail({ tx, principal }: WriteSession, mail: OrderedMail): Promise<void> {
  await tx.jobs.add(sendMailKind, mail, { owner: actingName(principal) })
}

type OrderedIn = Pick<TemplateMail, 'actor' | 'time' | 'words'>

export function orderedIn(
  { now: time, principal }: WriteSession,
  { texts = {}, dates = {}, paths = {} }: MailWords = {},
): OrderedIn {
  const short = Object.entries(texts).map(([name, text]) => [name, shortened(text, longestText)] as const)
  return { actor: actingName(principal), time, words: { texts: Object.fromEntries(short), dates, paths } }
}

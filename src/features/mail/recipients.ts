import { defineProblem } from '../../base/problem.ts'
import type { Principals } from '../../core/principals/principals.ts'
import { type PrincipalReference, parsePrincipalReference } from '../../core/references.ts'
import type { DirectoryReader } from '../../store/directories.ts'
import type { StoredMailbox } from './mail-order.ts'
import { findMailbox, type Mailbox } from './mailbox.ts'
import { listReceivers, mailboxOf } from './receivers.ts'

export const wrongRecipient = defineProblem(
  'wrongRecipient',
  'invalid',
  (of: { parameter: string; recipient: string; why: string }) =>
    `${of.parameter}: ${of.recipient.slice(0, 100)} ${of.why}. Write an address, user:name or group:name.`,
)

export const noRecipients = defineProblem(
  'noRecipients',
  'invalid',
  (_: object) => 'The mail is for nobody. Name somebody who has an address in to, cc or bcc.',
)

export const tooManyRecipients = defineProblem(
  'tooManyRecipients',
  'invalid',
  (of: { max: number }) => `The mail has more than ${of.max} recipients, members of groups included. Send it to fewer.`,
)

/** Who is looked up, and how names without a prefix are read. */
export interface RecipientLookup {
  readonly principals: Pick<Principals, 'findUser' | 'labelGroups'>
  readonly directories: DirectoryReader
  /** Only `user:` and `group:` make a name of a text that is no address. */
  readonly isStrict: boolean
}

/** The mailboxes that are meant by addresses, users and groups; of groups those members that have one. @throws wrongRecipient */
export async function findRecipients(
  lookup: RecipientLookup,
  parameter: string,
  given: readonly string[],
): Promise<readonly StoredMailbox[]> {
  const found = new Map<string, StoredMailbox>()
  for (const text of given.map((one) => one.trim()).filter((one) => one !== '')) {
    for (const { address, name = '' } of await mailboxesFor(lookup, parameter, text)) found.set(address, { address, name })
  }
  return [...found.values()]
}

async function mailboxesFor(lookup: RecipientLookup, parameter: string, text: string): Promise<readonly Mailbox[]> {
  const wrong = (why: string) => wrongRecipient({ parameter, recipient: text, why })
  const reference = parsePrincipalReference(text)
  const isPrefixed = reference.kind !== 'any'
  const written = isPrefixed ? undefined : findMailbox(text)
  if (written !== undefined && (lookup.isStrict || !(await isName(lookup, reference)))) return [written]
  if (!isPrefixed && lookup.isStrict) throw wrong('is no address')
  if (!(await isName(lookup, reference))) throw wrong('is neither an address nor a user or group')
  const users = await listReceivers(lookup, [text])
  const mailboxes = (await Promise.all(users.map((user) => lookup.principals.findUser(user))))
    .map((user) => user && mailboxOf(user))
    .filter((mailbox) => mailbox !== undefined)
  if (mailboxes.length === 0) throw wrong('has no address')
  return mailboxes
}

async function isName({ principals }: RecipientLookup, { kind, name }: PrincipalReference): Promise<boolean> {
  const isUser = kind !== 'group' && (await principals.findUser(name)) !== undefined
  return isUser || (kind !== 'user' && (await principals.labelGroups([name])).has(name))
}

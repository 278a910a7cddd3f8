import { defineProblem } from '../../base/problem.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { texts } from '../../model/properties/property-texts.ts'
import type { UserChange } from '../people/index.ts'
import { findRequestsFolder } from './requests-folder.ts'

export const requestType = 'UserInvitation'

/** How an invited user is verified: by a link that is mailed to them, or not at all. */
export type ValidationMethod = 'EMAIL' | 'NONE'

/** Who is to get an account, as a stored request says. */
export interface InvitationRequest {
  readonly id: string
  /** Of its lifecycle: created, approved, accepted, processed or rejected. */
  readonly state: string
  readonly login: string
  readonly user: UserChange & { readonly groups: readonly string[] }
  readonly validationMethod: ValidationMethod
  readonly comment: string | null
  readonly originatingUser: string
  readonly info: { readonly [name: string]: string }
}

export const requestNotFound = defineProblem(
  'requestNotFound',
  'notFound',
  (of: { id: string }) => `There is no invitation ${of.id.slice(0, 100)}.`,
)

/** What is stored of the user; the other fields are those of the request itself. */
const userFields = ['firstName', 'lastName', 'company', 'email', 'tenantId'] as const

/** @throws requestNotFound */
export async function readRequest(session: Session, id: string): Promise<InvitationRequest> {
  const found = await findRequest(session, id)
  if (found === undefined) throw requestNotFound({ id })
  return found
}

/** The same, locked until the end of the transaction. @throws requestNotFound */
export async function readRequestForUpdate(session: WriteSession, id: string): Promise<InvitationRequest> {
  await readRequest(session, id)
  await session.tx.documents.findForUpdate(id)
  return readRequest(session, id)
}

/** Whatever the rights of the session are. A document that is elsewhere is none, whatever it holds. */
export async function findRequest(session: Session, id: string): Promise<InvitationRequest | undefined> {
  const document = await session.reader.documents.find(id)
  const folder = await findRequestsFolder(session)
  if (document === undefined || folder === undefined || document.parentId !== folder.id) return undefined
  return document.type === requestType && !document.isProxy && !document.isTrashed ? requestIn(document) : undefined
}

function requestIn({ id, state, properties }: Document): InvitationRequest {
  const text = (name: string) => textOf(properties[name])
  const fields = userFields.map((field) => [field, properties[`userinfo:${field}`] ?? null] as const)
  return {
    id,
    state,
    login: text('userinfo:login'),
    user: { properties: Object.fromEntries(fields), groups: texts(properties['userinfo:groups']) },
    validationMethod: text('registration:validationMethod') === 'NONE' ? 'NONE' : 'EMAIL',
    comment: text('registration:comment') || null,
    originatingUser: text('registration:originatingUser'),
    info: infoOf(properties['invitation:info']),
  }
}

/** The properties of a new request. */
export function requestProperties(
  request: Pick<InvitationRequest, 'login' | 'user' | 'validationMethod' | 'comment' | 'originatingUser' | 'info'>,
): Properties {
  const { login, user, info } = request
  const names = [user.properties['firstName'], user.properties['lastName']].map(textOf).filter((name) => name !== '')
  return {
    'dc:title': names.join(' ') || login,
    'userinfo:login': login,
    'userinfo:groups': user.groups,
    ...Object.fromEntries(userFields.map((field) => [`userinfo:${field}`, user.properties[field] ?? null])),
    'registration:validationMethod': request.validationMethod,
    'registration:accepted': false,
    'registration:comment': request.comment,
    'registration:originatingUser': request.originatingUser,
    'invitation:info': Object.entries(info).map(([key, value]) => ({ key, value })),
  }
}

function textOf(value: PropertyValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function infoOf(value: PropertyValue | undefined): { [name: string]: string } {
  const pairs = Array.isArray(value) ? (value as readonly { readonly [field: string]: PropertyValue }[]) : []
  return Object.fromEntries(pairs.map(({ key, value: text }) => [textOf(key), textOf(text)]))
}

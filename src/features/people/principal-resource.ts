import { defineProblem } from '../../base/problem.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { type Answer, noContent } from '../../rest/answer.ts'
import { type ObjectSchema, type Schema, Type } from '../../rest/openapi/schema.ts'
import type { NoFields, SentFor } from '../../rest/payload/declared-input.ts'
import { groupHeaders, userHeaders } from '../../rest/request/declared-headers.ts'
import { type Resource, type ResourceCall, type ResourceRoot, resourceMethod } from '../../rest/resource.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import type { Services } from '../../rest/services.ts'

export const otherNameSent = defineProblem(
  'otherNameSent',
  'invalid',
  (of: { kind: PrincipalKind; sent: string; name: string }) =>
    `The body is about the ${of.kind} ${of.sent.slice(0, 100)}, the address about ${of.name}. A ${of.kind} cannot be renamed; send the same name or none.`,
)

export type PrincipalKind = 'user' | 'group'

/** How users differ from groups where both are read, changed and deleted by their names. */
export interface PrincipalAddress<Body extends ObjectSchema> {
  readonly kind: PrincipalKind
  readonly schema: Schema
  readonly read: string
  readonly body: Body
  readonly removal: string
  /** Further answers to changing and deleting. */
  readonly answers?: { readonly [status: number]: string }
  /** @throws when the name is unknown. */
  require(session: Session, services: Services, name: string): Promise<void>
  put(call: ResourceCall<SentFor<Body, NoFields>>): Promise<Answer>
  remove(session: WriteSession, services: Services, name: string): Promise<void>
}

/** `/user/{userId}`, `/group/{groupId}`: ids may hold slashes. */
export function principalRoot<Body extends ObjectSchema>({ kind, answers = {}, ...own }: PrincipalAddress<Body>): ResourceRoot {
  const headers = Type.Object(kind === 'user' ? userHeaders : groupHeaders)
  const shown = { 200: own.schema, 404: `${kind} does not exist` }
  const refused = { 403: 'may not be changed', 404: shown[404], ...answers }
  return {
    segment: kind,
    template: `/${kind}/{${kind}Id}`,
    summary: `A ${kind} by its name`,
    yields: kind,
    async resolve(session, _own, rest, services) {
      const name = rest.map(({ text }) => text).join('/')
      await own.require(session, services, name)
      return { kind, name }
    },
    methods: {
      GET: {
        summary: own.read,
        headers,
        answers: shown,
        handle: ({ exchange, resolve }) =>
          exchange.directories.read(async (session) => writeResource(exchange, session, await resolve(session))),
      },
      PUT: resourceMethod<Body>({
        summary: `Change the ${kind}; what is not sent stays`,
        headers,
        body: own.body,
        answers: { 200: own.schema, 400: 'not valid', ...refused },
        handle: own.put,
      }),
      DELETE: {
        summary: own.removal,
        answers: { 204: 'deleted', ...refused },
        handle: ({ exchange, resolve }) =>
          exchange.directories.write(async (session) => {
            await own.remove(session, exchange.services, nameOf(kind, await resolve(session)))
            return noContent()
          }),
      },
    },
  }
}

/** For what was accepted as that kind already. */
export function nameOf(kind: PrincipalKind, resource: Resource): string {
  if (resource.kind !== kind) throw new Error(`A ${kind} was promised, not ${resource.kind}.`)
  return resource.name
}

/** What a body says of the one that the address names. @throws otherNameSent */
export function changeOf<Change>(
  kind: PrincipalKind,
  name: string,
  sent: { readonly name: string | undefined; readonly change: Change },
): Change {
  if (sent.name !== undefined && sent.name !== name) throw otherNameSent({ kind, sent: sent.name, name })
  return sent.change
}

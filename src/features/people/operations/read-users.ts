import { defineOperation } from '../../../automation/operation.ts'
import { optional } from '../../../automation/parameter.ts'
import { jsonBlob } from '../../../automation/values/flowing-blob.ts'
import type { ValueOf } from '../../../automation/values/value.ts'
import type { Json } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { User } from '../../../core/principals/accounts.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import type { Session } from '../../../core/session.ts'
import { editRefusal } from '../refusals.ts'
import { accountSettings } from '../settings.ts'
import { matchUsers, patternFor } from '../users/match-users.ts'
import { findShownUser, userNotFound } from '../users/stored-user.ts'
import { readUserDirectory, readUserSchema } from '../users/user-directory.ts'

export const tooManyUsers = defineProblem(
  'tooManyUsers',
  'invalid',
  (of: { limit: number }) => `More than ${of.limit} users match. Ask for longer names.`,
)

export const getUser = defineOperation({
  id: 'User.Get',
  aliases: ['PlatformPrincipal.Get'],
  category: 'Users & Groups',
  description: 'Gives a user as a document with the user schema: the current one, or another to whoever looks after users.',
  effect: 'reads',
  params: { login: optional('string', { description: 'The name of the user; that of the caller unless told' }) },
  run: ({ on }) => [
    on('void', 'document', async (_, { session, params, context: { services } }) => {
      const { principal } = session
      const name = params.login?.trim() || principal.name
      if (name !== principal.name) requirePeopleEditor(principal, [], services.principalRules, editRefusal)
      const user = await findShownUser(session, services.principals, name)
      if (user === undefined) throw userNotFound({ name })
      return asDocument(session, user)
    }),
  ],
})

/** The fields of names, each of which a parameter of its own asks for. */
const nameFields = ['username', 'firstName', 'lastName'] as const
const shownFields = [...nameFields, 'email', 'company', 'tenantId'] as const

export const queryUsers = defineOperation({
  id: 'User.Query',
  aliases: ['Services.QueryUsers'],
  category: 'Users & Groups',
  description: 'Finds users by the beginnings of their names.',
  effect: 'reads',
  params: {
    username: optional('string'),
    firstName: optional('string'),
    lastName: optional('string'),
    pattern: optional('string', { description: 'The beginning of the user, first or last name' }),
    tenantId: optional('string'),
  },
  run: ({ on }) => [
    on('void', 'blob', (_, { params, context }) =>
      context.directories.read(async (session) => {
        const { services } = context
        const asked = params.pattern?.trim() ? [patternFor(session, services, nameFields, params.pattern.trim())] : []
        for (const field of nameFields) {
          const text = params[field]?.trim()
          if (text) asked.push(patternFor(session, services, [field], text))
        }
        const tenantId = params.tenantId?.trim()
        const found = await matchUsers(session, services, { matching: asked, ...(tenantId && { tenantId }) })
        if (found.kind === 'tooMany') throw tooManyUsers({ limit: services.valuesOf(accountSettings).userSearchLimit })
        return jsonBlob({ users: found.entries.map(({ values }) => shownOf(values)) })
      }),
    ),
  ],
})

/** What is not there is left out. */
function shownOf(values: User['properties']): object {
  const given = shownFields.filter((field) => values[field] != null)
  return Object.fromEntries(given.map((field) => [field, values[field]]))
}

/** As clients know documents: what a user has of one, and nothing of where documents are. */
function asDocument(session: Session, { principal, properties, ownGroups }: User): ValueOf<'entity'> {
  const { passwordField } = readUserDirectory(session)
  const { name: schema, prefix, fields } = readUserSchema(session)
  const values: { readonly [field: string]: unknown } = { ...properties, groups: ownGroups }
  const shown = fields.filter(({ name }) => name !== passwordField)
  return {
    kind: 'entity',
    entityType: 'document',
    json: {
      repository: session.repository.name,
      uid: principal.name,
      path: principal.name,
      type: 'user',
      state: null,
      parentRef: null,
      isCheckedOut: true,
      isVersion: false,
      isProxy: false,
      isTrashed: false,
      changeToken: null,
      title: principal.name,
      properties: Object.fromEntries(
        shown.map(({ name, defaultValue }) => [`${prefix ?? schema}:${name}`, (values[name] ?? defaultValue) as Json]),
      ),
      facets: [],
      schemas: [{ name: schema, prefix: prefix ?? schema }],
    },
  }
}

import { userDirectory } from '../../../core/directories/people.ts'
import type { User } from '../../../core/principals/accounts.ts'
import type { Principal } from '../../../model/rights/principal.ts'
import { contextParametersOf } from '../../../rest/openapi/context-parameters.ts'
import { entityPageSchema } from '../../../rest/openapi/resource-answers.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { writeContextParameters } from '../../../rest/render/enrichment.ts'
import { type EntityWriter, isShownInFull, type RenderContext } from '../../../rest/render/rendering.ts'
import { accountSettings } from '../settings.ts'
import { findShownUser } from './stored-user.ts'

const groupOfUserSchema = Type.Object({ name: Type.String(), label: Type.String(), url: Type.String() })

export const userSchema = Type.Object(
  {
    'entity-type': Type.Literal('user'),
    id: Type.String(),
    isPartial: Type.Optional(Type.Boolean({ description: 'Shown without its groups, inside of another entity' })),
    properties: Type.Record(Type.Unknown(), { description: 'By the fields of the user directory, but for the password' }),
    extendedGroups: Type.Array(groupOfUserSchema, { description: 'All groups, also through other groups' }),
    isAdministrator: Type.Boolean(),
    isAnonymous: Type.Boolean(),
    contextParameters: Type.Optional(contextParametersOf('user')),
  },
  { $id: 'User' },
)

export const userPageSchema = entityPageSchema('users', userSchema, 'UserPage')

type UserEntity = Static<typeof userSchema>

/**
 * A user by name, as `/user/x`, `/me` and a fetched `dc:creator` show it. The password is never part of it. Inside another entity,
 * which only refers to the user, it may be shown without groups: that is cheaper where there are many.
 */
export const userEntity: EntityWriter = {
  entityType: 'user',
  schema: userSchema,
  async write(context, name) {
    const { principals, valuesOf } = context.services
    const user = typeof name === 'string' ? await findShownUser(context.session, principals, name) : undefined
    const { usermanagerResolverFetchReferences: showsGroups } = valuesOf(accountSettings)
    return user && writeUser(context, user, context.level > 0 && !showsGroups)
  },
}

async function writeUser(context: RenderContext, user: User, isPartial: boolean): Promise<UserEntity> {
  const { principal } = user
  const { name, isAdministrator, isAnonymous } = principal
  return {
    'entity-type': 'user',
    id: name,
    ...(isPartial && { isPartial }),
    properties: { ...writeProperties(context, user), groups: isPartial ? [] : user.ownGroups },
    extendedGroups: isPartial ? [] : await writeGroups(user),
    isAdministrator,
    isAnonymous,
    ...(await writeEnrichments(context, principal)),
  }
}

/** Every field of the schema but the password; the groups keep their place among them. */
function writeProperties({ services }: RenderContext, { properties }: User): { [field: string]: unknown } {
  const { definitions, model } = services.directories
  const definition = definitions.get(userDirectory)
  const fields = model.schemas.get(definition?.schema ?? '')?.fields ?? []
  const shown = fields.filter((field) => field.name !== definition?.passwordField)
  return Object.fromEntries(shown.map((field) => [field.name, properties[field.name] ?? field.defaultValue]))
}

/** A name that is no group, such as a default group that was never made, stands for itself. */
async function writeGroups({ principal, groupLabels }: User): Promise<UserEntity['extendedGroups']> {
  const labels = await groupLabels()
  return principal.groups.map((name) => ({ name, label: labels.get(name) ?? name, url: `group/${name}` }))
}

async function writeEnrichments(context: RenderContext, user: Principal): Promise<Pick<UserEntity, 'contextParameters'>> {
  const asked = isShownInFull(context) ? context.enrichers('user') : []
  const enrichers = asked.flatMap((name) => context.rendering.findUserEnricher(name) ?? [])
  if (enrichers.length === 0) return {}
  return { contextParameters: await writeContextParameters(enrichers, { user, context }, user.name) }
}

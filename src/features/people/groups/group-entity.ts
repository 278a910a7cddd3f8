import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { groupDirectory, groupMembers, subGroups } from '../../../core/directories/people.ts'
import { entityPageSchema } from '../../../rest/openapi/resource-answers.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import type { EntityWriter, RenderContext } from '../../../rest/render/rendering.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import { findGroup } from './find-group.ts'

const names = Type.Optional(Type.Array(Type.String(), { description: 'With `fetch.group`' }))

export const groupSchema = Type.Object(
  {
    'entity-type': Type.Literal('group'),
    groupname: Type.String(),
    grouplabel: Type.Nullable(Type.String()),
    id: Type.String(),
    properties: Type.Record(Type.Unknown(), { description: 'By the fields of the group directory' }),
    memberUsers: names,
    memberGroups: names,
    parentGroups: names,
  },
  { $id: 'Group' },
)

export const groupPageSchema = entityPageSchema('groups', groupSchema, 'GroupPage')

type GroupEntity = Static<typeof groupSchema>

/** A group by name, or its entry where that is at hand. Its members and neighbours are shown only to who asks: there may be many. */
export const groupEntity: EntityWriter = {
  entityType: 'group',
  schema: groupSchema,
  async write(context, group) {
    const entry = typeof group === 'string' ? await findGroup(context.session, context.services, group) : group
    return entry === undefined ? undefined : writeGroup(context, entry as DirectoryEntry)
  },
}

async function writeGroup(context: RenderContext, { id, values }: DirectoryEntry): Promise<GroupEntity> {
  const groupname = textOf(values['groupname']) ?? id
  const grouplabel = textOf(values['grouplabel'])
  return {
    'entity-type': 'group',
    groupname,
    grouplabel,
    id,
    properties: { ...writeProperties(context, values), groupname, grouplabel },
    ...(await writeLinks(context, id)),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Whatever the schema has, but for what leads to others. */
function writeProperties({ services }: RenderContext, values: DirectoryEntry['values']): GroupEntity['properties'] {
  const { definitions, model } = services.directories
  const { schema = '', references = [] } = definitions.get(groupDirectory) ?? {}
  const fields = model.schemas.get(schema)?.fields ?? []
  const shown = fields.filter(({ name }) => !references.some(({ field }) => field === name))
  return Object.fromEntries(shown.map(({ name, defaultValue }) => [name, values[name] ?? defaultValue]))
}

type Links = Pick<GroupEntity, 'memberUsers' | 'memberGroups' | 'parentGroups'>

async function writeLinks(context: RenderContext, id: string): Promise<Links> {
  const directories = directoriesSeenBy(context.session)
  const wanted = context.fetch('group')
  return {
    ...(wanted.includes('memberUsers') && { memberUsers: await directories.listTargets(groupMembers, id) }),
    ...(wanted.includes('memberGroups') && { memberGroups: await directories.listTargets(subGroups, id) }),
    ...(wanted.includes('parentGroups') && { parentGroups: await directories.listSources(subGroups, id) }),
  }
}

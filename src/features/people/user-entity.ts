import { groupDirectory, groupMembers, userDirectory } from '../../core/directories/people.ts'
import type { Principal } from '../../model/principal.ts'
import type { EntityWriter, RenderContext } from '../../rest/rendering.ts'

/** A user by name, as `/user/x`, `/me` and a fetched `dc:creator` show it. The password is never part of it. */
export const userEntity: EntityWriter = {
  entityType: 'user',
  async write(context, name) {
    const principal = typeof name === 'string' ? await context.services.principals.find(name) : undefined
    return principal && writeUser(context, principal)
  },
}

async function writeUser(context: RenderContext, principal: Principal): Promise<object> {
  return {
    'entity-type': 'user',
    id: principal.name,
    properties: await writeProperties(context, principal.name),
    extendedGroups: await writeGroups(context, principal.groups),
    isAdministrator: principal.isAdministrator,
    isAnonymous: principal.isAnonymous,
  }
}

async function writeProperties({ services }: RenderContext, name: string): Promise<object> {
  const { store, definitions, model } = services.directories
  const entry = await store.reader.directories.find(userDirectory, name)
  const definition = definitions.get(userDirectory)
  const fields = model.schemas.get(definition?.schema ?? '')?.fields ?? []
  const shown = fields.filter((field) => field.name !== definition?.passwordField)
  const properties = Object.fromEntries(shown.map((field) => [field.name, entry?.values[field.name] ?? field.defaultValue]))
  return { ...properties, groups: await store.reader.directories.listSources(groupMembers, name) }
}

async function writeGroups({ services }: RenderContext, names: readonly string[]): Promise<object[]> {
  const { directories } = services.directories.store.reader
  return Promise.all(
    names.map(async (name) => {
      const label = (await directories.find(groupDirectory, name))?.values['grouplabel']
      return { name, label: typeof label === 'string' ? label : name, url: `group/${name}` }
    }),
  )
}

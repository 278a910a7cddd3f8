import { roughSize } from '../../base/json.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { canReadDirectory } from '../../core/directories/directory-rights.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { EntityWriter, RenderContext } from '../../rest/render/rendering.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import { localesFor } from '../user-profile/index.ts'
import { languageFor, readLabels, translateLabel } from './labels.ts'
import { shownFields } from './shown-fields.ts'

/** An entry together with the directory it is in. */
export interface EntryInDirectory {
  readonly directory: string
  readonly entry: DirectoryEntry
}

const entityType = 'directoryEntry'

export const directoryEntrySchema = Type.Object(
  {
    'entity-type': Type.Literal(entityType),
    directoryName: Type.String(),
    id: Type.String(),
    properties: Type.Record(Type.Unknown(), { description: 'By the fields of the directory; `parent` is an entry when fetched' }),
  },
  { $id: 'DirectoryEntry' },
)

/** An entry of a directory; its parent nested when fetched, its label in the reader's language when translated. */
export const directoryEntryEntity: EntityWriter = {
  entityType,
  schema: directoryEntrySchema,
  async write(context, value) {
    const { directory, entry } = value as EntryInDirectory
    const definition = context.services.directories.definitions.get(directory)
    if (definition === undefined || !canReadDirectory(context.session.principal, definition)) return undefined
    return writeEntry(context, definition, entry, new Set())
  },
}

async function writeEntry(
  context: RenderContext,
  definition: DirectoryDefinition,
  entry: DirectoryEntry,
  below: ReadonlySet<string>,
): Promise<Static<typeof directoryEntrySchema>> {
  return {
    'entity-type': entityType,
    directoryName: definition.name,
    id: entry.id,
    properties: await writeProperties(context, definition, entry, below),
  }
}

async function writeProperties(
  context: RenderContext,
  definition: DirectoryDefinition,
  entry: DirectoryEntry,
  below: ReadonlySet<string>,
): Promise<{ readonly [name: string]: unknown }> {
  const properties: { [name: string]: unknown } = {}
  for (const [shown, { name, defaultValue }] of shownFields(context.services, definition)) {
    const value = Object.hasOwn(entry.values, name) ? entry.values[name] : defaultValue
    properties[shown] = name === definition.passwordField ? '' : value
  }
  if (context.translate(entityType).includes('label')) await translateLabels(context, properties)
  const hasParent = typeof properties['parent'] === 'string' && context.fetch(entityType).includes('parent')
  if (hasParent) properties['parent'] = await writeParent(context, definition, entry, below)
  return properties
}

/** A label key becomes its text; an entry that holds its label in several languages gets the fitting one as `label`. */
async function translateLabels(context: RenderContext, properties: { [name: string]: unknown }): Promise<void> {
  const locales = await localesFor(context)
  const { label = properties[`label_${languageFor(locales)}`] ?? properties['label_en'] } = properties
  if (typeof label === 'string')
    properties['label'] = translateLabel(await readLabels(context.services.directories), label, locales)
}

// Deeper than any vocabulary that people look at; each step is a look-up and a level of the answer.
const maxParents = 32

/** The parent's entity, and its parent's in it; the plain id where there is no such entry or where parents go in a circle or on and on. */
async function writeParent(
  context: RenderContext,
  definition: DirectoryDefinition,
  entry: DirectoryEntry,
  below: ReadonlySet<string>,
): Promise<unknown> {
  const { definitions, store } = context.services.directories
  const parentId = entry.values['parent'] ?? null
  const parentDirectory = definitions.get(definition.parentDirectory ?? '')
  if (typeof parentId !== 'string' || parentDirectory === undefined || below.size >= maxParents) return parentId
  const line = new Set(below).add(`${definition.name} ${entry.id}`)
  if (!canReadDirectory(context.session.principal, parentDirectory)) return parentId
  const parent = await store.reader.directories.find(parentDirectory.name, parentId)
  if (parent === undefined || line.has(`${parentDirectory.name} ${parentId}`)) return parentId
  // One above a thousand entries is written a thousand times.
  context.budget.spend(roughSize(parent.values))
  await context.budget.rest()
  return writeEntry(context, parentDirectory, parent, line)
}

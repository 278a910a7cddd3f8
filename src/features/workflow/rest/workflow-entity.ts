import { findReadable } from '../../../core/documents/read-document.ts'
import type { Document } from '../../../model/document.ts'
import type { PropertyDefinition } from '../../../model/shape.ts'
import { type Static, Type } from '../../../rest/openapi/schema.ts'
import { blobWriterFor } from '../../../rest/render/blob-json.ts'
import { writeDocument } from '../../../rest/render/document-entity.ts'
import { fetchReferences, parseFetchWish } from '../../../rest/render/fetched-references.ts'
import { propertyWriter } from '../../../rest/render/property-json.ts'
import type { EntityWriter, RenderContext } from '../../../rest/render/rendering.ts'
import { attachedIdsOf, initiatorOf, modelNameOf, textAt } from '../instance/route-documents.ts'
import { workflowVariables } from '../instance/variables.ts'
import { translateWished } from './graph-entity.ts'

export const entityOrId = (description: string) =>
  Type.Object({ id: Type.Optional(Type.String()) }, { description, additionalProperties: true })

export const userOrName = (description: string) =>
  Type.Union([Type.Nullable(Type.String()), Type.Object({ 'entity-type': Type.String() }, { additionalProperties: true })], {
    description,
  })

export const variablesSchema = Type.Record(Type.Unknown(), { description: 'By their names, without a prefix' })

export const workflowSchema = Type.Object(
  {
    'entity-type': Type.Literal('workflow'),
    id: Type.String(),
    name: Type.String(),
    title: Type.Nullable(Type.String({ description: 'The key of a text; the text itself with `translate.workflow: title`' })),
    state: Type.String({ description: 'ready, running, done or canceled; of a model, validated' }),
    workflowModelName: Type.String(),
    initiator: userOrName('The name of who started it; the user with `fetch.workflow: initiator`'),
    attachedDocumentIds: Type.Array(entityOrId('With `fetch.workflow: attachedDocumentIds` the document')),
    variables: variablesSchema,
    graphResource: Type.String(),
  },
  { $id: 'Workflow' },
)

export const workflowsSchema = Type.Object(
  { 'entity-type': Type.Literal('workflows'), entries: Type.Array(workflowSchema) },
  { $id: 'Workflows' },
)

export type WorkflowEntity = Static<typeof workflowSchema>

/** It is no document and takes no level of depth: `inside` is given where it is itself shown inside of one. */
export async function writeWorkflow(
  context: RenderContext,
  route: Document,
  inside: RenderContext = context,
): Promise<WorkflowEntity> {
  const { baseUrl } = context.request
  const fetch = context.fetch('workflow')
  const isModel = route.state === 'validated'
  const variables = workflowVariables(context.session.model, route)
  context.budget.spendEntity(route.properties)
  return {
    'entity-type': 'workflow',
    id: route.id,
    name: route.name,
    title: translateWished(context, 'workflow')('title', textAt(route, 'dc:title') ?? null),
    state: route.state,
    workflowModelName: modelNameOf(route),
    initiator: await writeUser(context, initiatorOf(route), fetch.includes('initiator')),
    attachedDocumentIds: await writeAttached(inside, attachedIdsOf(route), fetch.includes('attachedDocumentIds')),
    variables: await writeVariables(context, route, variables),
    graphResource: isModel
      ? `${baseUrl}api/v1/workflowModel/${encodeURIComponent(route.name)}/graph`
      : `${baseUrl}api/v1/workflow/${route.id}/graph`,
  }
}

export async function writeWorkflows(
  context: RenderContext,
  routes: readonly Document[],
  inside?: RenderContext,
): Promise<Static<typeof workflowsSchema>> {
  const entries: WorkflowEntity[] = []
  for (const route of routes) entries.push(await writeWorkflow(context, route, inside))
  return { 'entity-type': 'workflows', entries }
}

/** The name of a user, or the user where that is wanted and there is one. */
export async function writeUser(context: RenderContext, name: string | undefined, isFetched: boolean) {
  if (name === undefined) return null
  if (!isFetched) return name
  const writer = context.rendering.entityWriters.get('user')
  return ((await writer?.write(context.nested(), name)) as { 'entity-type': string } | undefined) ?? name
}

/** Documents that the caller may not read, or that are gone, stay ids. */
async function writeAttached(context: RenderContext, ids: readonly string[], isFetched: boolean) {
  const entries: { readonly id?: string; readonly uid?: string }[] = []
  for (const id of ids) {
    const document = isFetched ? await findReadable(context.session, id) : undefined
    entries.push(document === undefined ? { id } : await writeDocument(context, document))
  }
  return entries
}

/** The values of variables by their bare names; references as entities where properties of documents are to be fetched. */
export async function writeVariables(
  context: RenderContext,
  document: Document,
  variables: readonly PropertyDefinition[],
): Promise<{ [name: string]: unknown }> {
  const writeBlob = blobWriterFor(context, document, true)
  const shown: { [name: string]: unknown } = {}
  for (const { name, field } of variables) {
    const write = propertyWriter(field)
    shown[name] = write(document.properties[name], writeBlob, name)
  }
  const wish = parseFetchWish(context.fetch('document'))
  if (wish !== undefined) await fetchReferences(context, wish, variables, document.properties, shown)
  return Object.fromEntries(variables.map(({ name, field }) => [field.name, shown[name]]))
}

export const workflowWriter: EntityWriter = {
  entityType: 'workflow',
  schema: workflowSchema,
  write: async (context, value) => writeWorkflow(context, value as Document),
}

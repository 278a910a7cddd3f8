import { defineProblem } from '../../../base/problem.ts'
import { findReadable } from '../../../core/documents/read-document.ts'
import { saveDocument } from '../../../core/documents/save-document.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import type { Services } from '../../../rest/services.ts'
import { textsAt } from '../instance/route-documents.ts'
import { notYourTask, taskNotFound } from '../instance/workflow-problems.ts'
import { mayComplete } from './task-access.ts'
import { isTask } from './task-documents.ts'

export const mappingNotFound = defineProblem(
  'mappingNotFound',
  'notFound',
  (of: { name: string }) => `There is no mapping ${of.name} of properties of documents to tasks.`,
)

export const notMappable = defineProblem(
  'notMappable',
  'failed',
  (of: { name: string; from: string; to: string }) =>
    `The mapping ${of.name} copies ${of.from} to ${of.to}, which is no property of the task or of another type. Mend the workflow.`,
)

function findMapping({ workflows }: Pick<Services, 'workflows'>, name: string) {
  for (const { taskMappings = {} } of workflows.values()) if (Object.hasOwn(taskMappings, name)) return taskMappings[name]
  return undefined
}

/**
 * Copies properties of the first document of a task to the task, as a mapping of a workflow says. What the document does not have
 * is left alone.
 * @throws taskNotFound, notYourTask, mappingNotFound, notMappable
 */
export async function applyMapping(
  services: Pick<Services, 'workflows'>,
  session: WriteSession,
  task: Document,
  name: string,
): Promise<Document> {
  const { id } = task
  if (!isTask(session, task)) throw taskNotFound({ id })
  if (!mayComplete(session.principal, task)) throw notYourTask({ id, principal: session.principal.name })
  const mapping = findMapping(services, name)
  if (mapping === undefined) throw mappingNotFound({ name })
  const source = await firstTarget(session, task)
  if (source === undefined) return task
  const [given, own] = [session.model.shapeOf(source).properties, session.model.shapeOf(task).properties]
  const changes: { [name: string]: PropertyValue } = {}
  for (const [to, from] of Object.entries(mapping)) {
    const type = given.get(from)?.field.type
    if (type === undefined) continue
    if (own.get(to)?.field.type.kind !== type.kind) throw notMappable({ name, from, to })
    changes[to] = source.properties[from] ?? null
  }
  return saveDocument(session.asSystem(), id, changes)
}

/** The first that is there and that the caller may read. */
async function firstTarget(session: WriteSession, task: Document): Promise<Document | undefined> {
  for (const id of textsAt(task, 'nt:targetDocumentsIds')) {
    const found = await findReadable(session, id)
    if (found !== undefined) return found
  }
  return undefined
}

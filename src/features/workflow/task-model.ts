import type { ContentTemplate } from '../../core/initial-content.ts'
import { documentsWhere, notProxy } from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, boolean, complex, date, list, string } from '../../model/field.ts'
import type { Lifecycle } from '../../model/lifecycle.ts'
import { deny, grant } from '../../model/rights/acl.ts'
import { everyone } from '../../model/rights/principal.ts'
import { defineSchema } from '../../model/schema.ts'

/** What the engine notes for itself; nobody looks for a task by words of it. */
export const keysAndValues = list(complex({ key: string(), value: string() }), { hasWords: false })

export const taskSchema = defineSchema('task', {
  prefix: 'nt',
  fields: {
    ...alike(list(string(), { indexed: true }), 'actors', 'delegatedActors'),
    initiator: string(),
    targetDocumentId: string({ hasWords: false }),
    targetDocumentsIds: list(string(), { indexed: true, hasWords: false }),
    ...alike(string(), 'directive', 'name'),
    type: string({ hasWords: false }),
    processId: string({ indexed: 'sparse', hasWords: false }),
    processName: string(),
    accepted: boolean(),
    dueDate: date(),
    task_variables: keysAndValues,
    taskComments: list(complex({ author: string(), text: string(), creationDate: date() })),
  },
})

export const taskFacets = [
  defineFacet('Task', ['task'], { isReserved: true }),
  defineFacet('RoutingTask', [], { isReserved: true }),
]

export const taskTypes = [
  defineDocumentType('TaskRoot', { isReserved: true, extends: 'Folder', facets: ['HiddenInNavigation', 'SuperSpace'] }),
  defineDocumentType('TaskDoc', {
    extends: 'Document',
    schemas: ['common', 'dublincore', 'task'],
    facets: ['Task', 'HiddenInNavigation'],
    lifecycle: 'task',
  }),
  defineDocumentType('RoutingTask', { extends: 'TaskDoc', facets: ['RoutingTask'], lifecycle: 'task' }),
]

export const taskLifecycle: Lifecycle = {
  name: 'task',
  initial: 'opened',
  states: { opened: ['end', 'cancel'], ended: [], cancelled: [] },
  transitions: { end: 'ended', cancel: 'cancelled' },
}

export const taskRootTemplate: ContentTemplate = {
  type: 'TaskRoot',
  aces: [grant('Administrator', 'Everything'), grant('administrators', 'Everything'), deny(everyone, 'Everything')],
  children: [],
}

/** Tasks that are still open, all of them: what is due must not end with a page. */
function tasks(suffix: string, ...conditions: readonly string[]): PageProvider {
  const open = ["ecm:mixinType = 'Task'", "ecm:currentLifeCycleState NOT IN ('ended', 'cancelled')", notProxy]
  return { name: `GET_TASKS_${suffix}`, pattern: documentsWhere(...open, ...conditions), maxPageSize: 0 }
}

const forActors = 'nt:actors/* IN (?)'
const forActorsOrDelegated = '(nt:actors/* IN (?) OR nt:delegatedActors/* IN (?))'
const ofDocument = 'nt:targetDocumentId = ?'
const ofDocuments = 'nt:targetDocumentsIds/* IN (?)'
const ofProcess = 'nt:processId = ?'
const atNode = "nt:task_variables/*1/key = 'nodeId' AND nt:task_variables/*1/value = ?"

export const taskProviders: readonly PageProvider[] = [
  tasks('FOR_ACTORS', forActors),
  tasks('FOR_ACTORS_OR_DELEGATED_ACTORS', forActorsOrDelegated),
  tasks('FOR_TARGET_DOCUMENT', ofDocument),
  tasks('FOR_TARGET_DOCUMENT_AND_ACTORS', ofDocument, forActors),
  tasks('FOR_TARGET_DOCUMENTS', ofDocuments),
  tasks('FOR_TARGET_DOCUMENTS_AND_ACTORS', ofDocuments, forActors),
  tasks('FOR_TARGET_DOCUMENTS_AND_ACTORS_OR_DELEGATED_ACTORS', ofDocuments, forActorsOrDelegated),
  tasks('FOR_PROCESS', ofProcess),
  tasks('FOR_PROCESS_AND_ACTORS', ofProcess, forActors),
  tasks('FOR_PROCESS_AND_NODE', ofProcess, atNode),
]

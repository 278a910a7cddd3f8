import { allOf, documentsWhere, notFolder, notProxy, notTrashed } from '../../../core/search/conditions.ts'
import type { PageProvider } from '../../../core/search/page-provider.ts'
import { byTitle } from '../../../core/search/sort.ts'

function routes(name: string, ...conditions: readonly string[]): PageProvider {
  return { name, pattern: `SELECT * FROM DocumentRoute WHERE ${allOf(...conditions)}`, sort: byTitle, pageSize: 20 }
}

/** Tasks that somebody still has to do, all of them: what is due must not end with a page. */
function tasks(suffix: string, ...conditions: readonly string[]): PageProvider {
  const open = ["ecm:mixinType = 'Task'", "ecm:currentLifeCycleState NOT IN ('ended', 'cancelled')", notProxy]
  return { name: `GET_TASKS_${suffix}`, pattern: documentsWhere(...open, ...conditions), maxPageSize: 0 }
}

const validated = "ecm:currentLifeCycleState = 'validated'"
const forActors = 'nt:actors/* IN ?'
const forActorsOrDelegated = '(nt:actors/* IN ? OR nt:delegatedActors/* IN ?)'
const ofDocument = 'nt:targetDocumentId = ?'
const ofDocuments = 'nt:targetDocumentsIds/* IN (?)'
const ofProcess = 'nt:processId = ?'
const atNode = "nt:task_variables/*1/key = 'nodeId' AND nt:task_variables/*1/value = ?"

export const workflowProviders: readonly PageProvider[] = [
  routes('DOC_ROUTING_SEARCH_ALL_ROUTE_MODELS', validated, notTrashed),
  routes('DOC_ROUTING_SEARCH_ROUTE_MODELS_WITH_TITLE', validated, notTrashed, 'dc:title LIKE ?'),
  routes('DOC_ROUTING_SEARCH_ALL_ROUTE_INSTANCES', "ecm:currentLifeCycleState = 'running'", notTrashed, 'dc:title LIKE ?'),
  routes(
    'SEARCH_ROUTE_BY_ATTACHED_DOC',
    "ecm:currentLifeCycleState IN ('running', 'ready')",
    notTrashed,
    'docri:participatingDocuments/* IN (?)',
  ),
  {
    name: 'CURRENT_DOC_ROUTING_SEARCH_ATTACHED_DOC',
    pattern: documentsWhere(notFolder, notTrashed, 'dc:title ILIKE ?'),
    sort: byTitle,
    pageSize: 20,
  },
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

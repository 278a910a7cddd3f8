import {
  allOf,
  documentsWhere,
  notFolder,
  notProxy,
  notSystem,
  notTrashed,
  notVersion,
  trashed,
  visible,
} from '../../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../../core/search/providers/page-provider.ts'
import { ascending, byTitle, descending, type Sort } from '../../../core/search/query/sort.ts'

const belowGiven = 'ecm:path STARTSWITH ?'

/** A short list of a user's home page. */
function panel(name: string, pattern: string, sort: readonly Sort[], pageSize = 5): PageProvider {
  return { name, pattern, sort, pageSize, maxResults: 'DEFAULT_NAVIGATION_RESULTS' }
}

function domains(...conditions: readonly string[]): string {
  return `SELECT * FROM Domain WHERE ${allOf(visible, notTrashed, ...conditions)}`
}

const ownDocuments = ['dc:contributors = ?', notFolder, notSystem, visible, notVersion, notProxy]
const readingRights = "ecm:acl/*1/permission IN ('Read', 'ReadWrite', 'ReadRemove', 'Everything')"

export const dashboardProviders: readonly PageProvider[] = [
  panel('domain_documents', documentsWhere(belowGiven, notFolder, notSystem, visible, notVersion, notProxy, notTrashed), [
    descending('dc:modified'),
  ]),
  panel('user_documents', documentsWhere(...ownDocuments, notTrashed, belowGiven), [ascending('dc:modified')]),
  panel('user_deleted_documents', documentsWhere(...ownDocuments, trashed), [ascending('dc:modified')]),
  panel('user_workspaces', `SELECT * FROM Workspace WHERE ${allOf(visible, notTrashed, notProxy, belowGiven)}`, byTitle),
  panel('user_domains', domains(), byTitle, 0),
  panel('breadcrumb_user_domains', domains(), byTitle, 0),
  { name: 'startup_domains', pattern: domains(notVersion, notProxy), sort: byTitle, pageSize: 2, maxResults: 'PAGE_SIZE' },
  panel('user_sites', documentsWhere("ecm:mixinType = 'WebView'", notTrashed, 'webc:isWebContainer = 1', belowGiven), [
    ascending('webc:name'),
  ]),
  panel(
    'user_shared_documents',
    documentsWhere(visible, notVersion, notTrashed, 'ecm:acl/*1/grant = 1', readingRights, 'ecm:acl/*1/principal IN (?)'),
    byTitle,
  ),
]

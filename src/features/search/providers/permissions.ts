import { documentsWhere, notTrashed, notVersion, visible } from '../../../core/search/conditions.ts'
import type { PageProvider } from '../../../core/search/page-provider.ts'
import { criterion } from '../../../core/search/predicate.ts'

const members = ['principal', 'creator', 'permission', 'begin', 'end', 'status'].map((member) => `ecm:acl/*1/${member}`)

const schema = 'permissions_search'

/** A row for each entry of a document's own rights that is looked for. */
function entries(name: string): PageProvider {
  return {
    name,
    kind: 'rows',
    whereClause: {
      documentType: 'PermissionsSearch',
      selectStatement: `SELECT ecm:uuid, dc:title, ${members.join(', ')} FROM Document`,
      predicates: [
        criterion(schema, 'ecm:acl/*1/principal', 'IN', 'ace_username'),
        criterion(schema, 'ecm:acl/*1/creator', 'IN', 'ace_creator'),
        criterion(schema, 'ecm:acl/*1/permission', 'IN', 'ace_permission'),
        criterion(schema, 'ecm:acl/*1/begin', '>=', 'ace_begin'),
        criterion(schema, 'ecm:acl/*1/end', '<=', 'ace_end'),
        criterion(schema, 'ecm:acl/*1/name', '=', 'ace_acl_name'),
        criterion(schema, 'ecm:ancestorId', 'IN', 'ecm_ancestorIds'),
      ],
    },
    pageSize: 20,
  }
}

export const permissionProviders: readonly PageProvider[] = [
  entries('PERMISSIONS_SEARCH'),
  entries('permissions_purge'),
  {
    name: 'permissions_search_folders',
    pattern: documentsWhere("dc:title LIKE '?%'", "ecm:mixinType = 'Folderish'", visible, notVersion, notTrashed),
    quotesParameters: false,
    pageSize: 10,
  },
]

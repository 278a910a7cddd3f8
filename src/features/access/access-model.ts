import { defineDirectory } from '../../core/directories/directory-definition.ts'
import { aceInfoDirectory } from '../../core/documents/rights/ace-note.ts'
import { documentsWhere, notTrashed, notVersion, visible } from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { criterion } from '../../core/search/query/predicate.ts'

import { defineDocumentType } from '../../model/document-type.ts'
import { alike, boolean, date, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

const schema = 'permissions_search'
const strings = list(string())

const aceInfoSchema = defineSchema('aceinfo', {
  prefix: 'aceinfo',
  fields: {
    ...alike(string(), 'id', 'repositoryName', 'docId', 'aclName', 'aceId'),
    notify: boolean(),
    comment: string(),
  },
})

const permissionsSearch = defineSchema(schema, {
  prefix: 'rs',
  fields: {
    ...alike(strings, 'ace_username', 'ace_creator', 'ace_permission'),
    ace_acl_name: string(),
    ...alike(date(), 'ace_begin', 'ace_end'),
    ecm_ancestorIds: strings,
  },
})

export const accessSchemas = [aceInfoSchema, permissionsSearch]

export const permissionsSearchType = defineDocumentType('PermissionsSearch', {
  extends: 'Document',
  schemas: ['permissions_search'],
})

/** The notes beside entries, for administrators only: comments tell why a user was given a right. */
export const aceInfo = defineDirectory(aceInfoDirectory, {
  schema: 'aceinfo',
  types: ['system'],
  permissions: { read: [], write: [] },
})

const members = ['principal', 'creator', 'permission', 'begin', 'end', 'status'].map((member) => `ecm:acl/*1/${member}`)

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

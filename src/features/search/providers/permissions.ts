import type { PageProvider } from '../../../core/search/page-provider.ts'
import type { Predicate } from '../../../core/search/predicate.ts'

const members = ['principal', 'creator', 'permission', 'begin', 'end', 'status'].map((member) => `ecm:acl/*1/${member}`)

function criterion(property: string, operator: string, name: string): Predicate {
  return { property, operator, fields: [{ schema: 'permissions_search', name }] }
}

/** A row for each entry of a document's own rights that is looked for. */
function entries(name: string): PageProvider {
  return {
    name,
    kind: 'rows',
    whereClause: {
      documentType: 'PermissionsSearch',
      selectStatement: `SELECT ecm:uuid, dc:title, ${members.join(', ')} FROM Document`,
      predicates: [
        criterion('ecm:acl/*1/principal', 'IN', 'ace_username'),
        criterion('ecm:acl/*1/creator', 'IN', 'ace_creator'),
        criterion('ecm:acl/*1/permission', 'IN', 'ace_permission'),
        criterion('ecm:acl/*1/begin', '>=', 'ace_begin'),
        criterion('ecm:acl/*1/end', '<=', 'ace_end'),
        criterion('ecm:acl/*1/name', '=', 'ace_acl_name'),
        criterion('ecm:ancestorId', 'IN', 'ecm_ancestorIds'),
      ],
    },
    pageSize: 20,
  }
}

export const permissionProviders: readonly PageProvider[] = [entries('PERMISSIONS_SEARCH'), entries('permissions_purge')]

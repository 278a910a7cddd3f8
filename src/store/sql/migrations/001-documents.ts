import { textKey } from '../documents/property-key.ts'
import type { Migration } from '../migration.ts'

export const documents: Migration = {
  version: 1,
  statements: (dialect) => {
    const { rowNumber, text, integer, flag, json } = dialect.columns
    const titleKey = textKey(dialect, 'dc:title').sql
    return [
      `CREATE TABLE documents (
         seq ${rowNumber},
         id ${text} NOT NULL UNIQUE,
         parent_id ${text},
         name ${text} NOT NULL,
         path ${text},
         pos ${integer},
         type ${text} NOT NULL,
         facets ${json},
         state ${text} NOT NULL,
         is_trashed ${flag} NOT NULL,
         is_version ${flag} NOT NULL,
         is_proxy ${flag} NOT NULL,
         target_id ${text},
         series_id ${text},
         is_checked_in ${flag} NOT NULL,
         major_version ${integer} NOT NULL,
         minor_version ${integer} NOT NULL,
         base_version_id ${text},
         is_latest_version ${flag} NOT NULL,
         is_latest_major_version ${flag} NOT NULL,
         version_created ${text},
         version_comment ${text},
         is_record ${flag} NOT NULL,
         retain_until ${text},
         has_legal_hold ${flag} NOT NULL,
         lock_owner ${text},
         lock_created ${text},
         change_system ${integer} NOT NULL,
         change_user ${integer} NOT NULL,
         acls ${json},
         acp_id ${integer} NOT NULL,
         properties ${json} NOT NULL
       )${dialect.tableOptions}`,
      'CREATE UNIQUE INDEX documents_by_name ON documents (parent_id, name) WHERE parent_id IS NOT NULL',
      'CREATE UNIQUE INDEX documents_by_path ON documents (path) WHERE path IS NOT NULL',
      `CREATE INDEX documents_by_position ON documents (parent_id, pos${dialect.nullsFirstInIndex}, id) WHERE parent_id IS NOT NULL`,
      `CREATE INDEX documents_by_title
           ON documents (parent_id, (${titleKey})${dialect.nullsFirstInIndex}, id) WHERE parent_id IS NOT NULL`,
      'CREATE INDEX documents_by_series ON documents (series_id, version_created, seq) WHERE series_id IS NOT NULL',
      'CREATE INDEX documents_by_target ON documents (target_id) WHERE target_id IS NOT NULL',
      'CREATE INDEX documents_with_acls ON documents (path) WHERE acls IS NOT NULL',
      'CREATE INDEX documents_retained ON documents (path) WHERE has_legal_hold = 1 OR retain_until IS NOT NULL',
    ]
  },
}

import type { Dialect } from '../dialect.ts'
import type { Migration } from '../migration.ts'

/**
 * What queries find documents by beside their rows: words, items of lists, the texts that were read from files (by the file, for
 * many documents share one). The tables are filled when the store opens, which also knows what the model declares; kept_indexes
 * says what they hold. From here on a proxy repeats what it shows.
 */
export const search: Migration = {
  version: 8,
  statements: (dialect) => {
    const { text, integer } = dialect.columns
    return [
      ...dialect.fulltext.tables,
      `CREATE TABLE document_values (
         name ${text} NOT NULL,
         value ${text} NOT NULL,
         seq ${integer} NOT NULL,
         PRIMARY KEY (name, value, seq)
       )${dialect.keyTableOptions}`,
      'CREATE INDEX document_values_by_document ON document_values (seq)',
      `CREATE TABLE file_texts (
         file_key ${text} NOT NULL,
         mime_type ${text} NOT NULL,
         text ${text} NOT NULL,
         PRIMARY KEY (file_key, mime_type)
       )${dialect.tableOptions}`,
      `CREATE TABLE kept_indexes (name ${text} PRIMARY KEY)${dialect.tableOptions}`,
      // Of many types there are few documents among all.
      'CREATE INDEX documents_by_type ON documents (type, seq)',
      // And of them many users may read but few.
      'CREATE INDEX documents_by_rights ON documents (acp_id, seq)',
      repeatTargets(dialect),
    ]
  },
}

/** What a proxy had for its own stays its own. */
function repeatTargets({ engine }: Dialect): string {
  const properties =
    engine === 'sqlite'
      ? `json_patch(
           json_remove(target.properties, '$."collectionMember:collectionIds"', '$."notif:notifications"'), proxy.properties)`
      : `(target.properties - 'collectionMember:collectionIds' - 'notif:notifications') || proxy.properties`
  const repeated = ['type', 'facets', 'state', 'major_version', 'minor_version', 'is_latest_version', 'is_latest_major_version']
  return `
    UPDATE documents AS proxy
       SET ${[...repeated, 'version_created', 'version_comment'].map((column) => `${column} = target.${column}`).join(', ')},
           properties = ${properties}
      FROM documents AS target
     WHERE proxy.is_proxy = 1 AND target.id = proxy.target_id`
}

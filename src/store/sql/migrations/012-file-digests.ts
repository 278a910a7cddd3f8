import type { Migration } from '../migration.ts'

/**
 * Files have other names in the blob store than the digests that clients know them by. Those that an earlier program stored have one
 * name for both, and are listed until they are carried over. What is copied here would otherwise be read from all documents again.
 */
export const fileDigests: Migration = {
  version: 12,
  statements: () =>
    [
      ['ecm:blobDigests', 0],
      ['ecm:oldBlobKeys', 32],
    ].flatMap(([name, length]) => [
      `INSERT INTO document_values (name, value, seq)
       SELECT '${name}', value, seq FROM document_values WHERE name = 'ecm:blobKeys' AND ${length} IN (0, length(value))`,
      `INSERT INTO kept_indexes (name) SELECT '${name}' FROM kept_indexes WHERE name = 'ecm:blobKeys'`,
    ]),
}

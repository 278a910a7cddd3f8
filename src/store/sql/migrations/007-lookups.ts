import type { Migration } from '../migration.ts'

/**
 * What would otherwise be looked for among rows that hold much else. documents_visible has all that decides whether a child is
 * shown, so that counting the children of a large folder reads no document: 3 ms for 10,000 instead of 7, for 2 µs more in
 * writing one (measured on SQLite; 4 instead of 7 for 19 µs on PostgreSQL). Only the parent leads in it: were `is_trashed` next,
 * a planner would prefer it to the index that has the order of a page. An entry of PostgreSQL has room for about a hundred facets
 * of a document's own.
 */
export const lookups: Migration = {
  version: 7,
  statements: ({ hasDates }) => [
    `CREATE INDEX documents_visible ON documents (parent_id, type, is_trashed, acp_id, facets) WHERE parent_id IS NOT NULL`,
    'CREATE INDEX documents_proxies ON documents (path) WHERE is_proxy = 1',
    `CREATE INDEX documents_with_dates ON documents ((${hasDates}), id) WHERE acls IS NOT NULL`,
  ],
}

import type { Migration } from '../migration.ts'

export const retention: Migration = {
  version: 6,
  statements: () => ['CREATE INDEX documents_by_retention ON documents (retain_until, id) WHERE retain_until IS NOT NULL'],
}

import sql from 'sql-template-tag'
import { documentColumns } from './document-row.ts'

/** Served by documents_by_retention, from where the page before ended. */
export const retentionsEnded = (now: string, [retainUntil, id]: readonly [retainUntil: string, id: string], limit: number) => sql`
  SELECT ${documentColumns}
    FROM documents
   WHERE retain_until <= ${now} AND (retain_until, id) > (${retainUntil}, ${id})
   ORDER BY retain_until, id LIMIT ${limit}`

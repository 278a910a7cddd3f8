import { entityPageSchema } from '../../rest/openapi/resource-answers.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { EntityWriter } from '../../rest/render/rendering.ts'
import type { TableRow } from '../../store/tables.ts'

const nullableText = Type.Nullable(Type.String())

/** A row of the log as clients see it (contract: adapters 4.1). */
export const logEntrySchema = Type.Object(
  {
    'entity-type': Type.Literal('logEntry'),
    id: Type.Integer({ description: 'Grows with every row' }),
    category: nullableText,
    principalName: nullableText,
    comment: nullableText,
    docLifeCycle: nullableText,
    docPath: nullableText,
    docType: nullableText,
    docUUID: nullableText,
    eventId: nullableText,
    repositoryId: nullableText,
    eventDate: Type.String({ description: 'When it happened' }),
    logDate: Type.String({ description: 'When it was stored' }),
    extended: Type.Object({}, { additionalProperties: true, description: 'What else the event tells' }),
  },
  { $id: 'LogEntry' },
)

export type LogEntry = Static<typeof logEntrySchema>

export const logEntriesSchema = entityPageSchema('logEntries', logEntrySchema, 'LogEntries')

/** In the order in which `entryOf` reads them. */
export const entryColumns =
  'id, category, principal_name, comment, doc_life_cycle, doc_path, doc_type, doc_uuid, event_id, repository_id, event_date, log_date, extended'

export function entryOf(row: TableRow): LogEntry {
  const [id, category, principalName, comment, docLifeCycle, docPath, docType, docUUID, eventId, repositoryId] = row
  const [eventDate, logDate, extended] = row.slice(10)
  return {
    'entity-type': 'logEntry',
    id: Number(id),
    category: textOf(category),
    principalName: textOf(principalName),
    comment: textOf(comment),
    docLifeCycle: textOf(docLifeCycle),
    docPath: textOf(docPath),
    docType: textOf(docType),
    docUUID: textOf(docUUID),
    eventId: textOf(eventId),
    repositoryId: textOf(repositoryId),
    eventDate: new Date(Number(eventDate)).toISOString(),
    logDate: new Date(Number(logDate)).toISOString(),
    extended: typeof extended === 'string' ? JSON.parse(extended) : {},
  }
}

function textOf(value: TableRow[number] | undefined): string | null {
  return value === undefined || value === null ? null : String(value)
}

/** Rows are shown as they are read. */
export const logEntryWriter: EntityWriter = {
  entityType: 'logEntry',
  schema: logEntrySchema,
  write: async (_, value) => value as LogEntry,
}

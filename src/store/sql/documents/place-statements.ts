import sql from 'sql-template-tag'
import type { DocumentId } from '../../../model/document.ts'
import type { Place } from '../../documents.ts'
import { storableText } from '../../storable-text.ts'
import type { Dialect } from '../dialect.ts'

/** Served by documents_by_position. */
export const lastPosition = (parentId: DocumentId) => sql`SELECT max(pos) FROM documents WHERE parent_id = ${parentId}`

/** Served by any index that the parent leads. */
export const childIds = (parentId: DocumentId) =>
  sql`SELECT id FROM documents WHERE parent_id = ${parentId} ORDER BY pos NULLS LAST, name`

/** Served by the unique id, a look-up for each. A child that is in its place already is not written. */
export const setPositions = (dialect: Dialect, ids: readonly DocumentId[]) => sql`
  UPDATE documents SET pos = texts.pos, change_system = change_system + 1
    FROM ${dialect.numberedTexts(ids)}
   WHERE documents.id = texts.text AND documents.pos IS DISTINCT FROM texts.pos`

/** Served by the unique id. */
export const pathForShare = (dialect: Dialect, id: DocumentId) =>
  sql`SELECT path FROM documents WHERE id = ${id} ${dialect.forShare}`

/** Served by the unique id. */
export const moveDocument = (id: DocumentId, { parentId, name, path, position }: Place, acpId: number) => sql`
  UPDATE documents
     SET parent_id = ${parentId}, name = ${storableText(name, 'The name')}, path = ${path}, pos = ${position}, acp_id = ${acpId},
         change_system = change_system + 1
   WHERE id = ${id}`

/** Served by documents_by_name. */
export const otherChildNamed = (id: DocumentId, parentId: DocumentId, name: string) =>
  sql`SELECT 1 FROM documents WHERE parent_id = ${parentId} AND name = ${name} AND id <> ${id}`

import { type Document, titleOf } from '../../model/document.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'

export const placeSchema = Type.Object(
  {
    uid: Type.String(),
    path: Type.Nullable(Type.String()),
    title: Type.String(),
    type: Type.String(),
  },
  { $id: 'PermissionPlace' },
)

export function showPlace(document: Document): Static<typeof placeSchema> {
  const { id, path, type } = document
  return { uid: id, path, title: titleOf(document), type }
}

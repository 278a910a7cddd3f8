import { Type } from '../../rest/openapi/schema.ts'

/** The `document` entity as clients send it, to create one. */
export const documentBody = Type.Object(
  {
    'entity-type': Type.Literal('document'),
    type: Type.Optional(Type.String({ description: 'Document type; needed to create' })),
    name: Type.Optional(Type.String({ description: 'Path segment; needed to create' })),
    uid: Type.Optional(Type.String()),
    changeToken: Type.Optional(
      Type.String({ description: 'As read; a change by someone else since then is a conflict. Counts only beside uid' }),
    ),
    properties: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  {
    additionalProperties: true,
    examples: [{ 'entity-type': 'document', type: 'File', name: 'report', properties: { 'dc:title': 'Report' } }],
  },
)

/** The same to change one. */
export const documentChangeBody = {
  ...documentBody,
  examples: [{ 'entity-type': 'document', properties: { 'dc:title': 'Annual report' } }],
}

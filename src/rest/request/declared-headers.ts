import { Type } from '../openapi/schema.ts'

const names = (description: string, examples?: readonly string[]) => Type.Names({ description, ...(examples && { examples }) })

/** How documents are to be shown. Each is also a query parameter; `RenderWishes` reads both, when an answer is written. */
export const renderHeaders = {
  properties: names('Schemas whose properties are shown, or `*` for all', ['dublincore']),
  'enrichers.document': names('What to add below `contextParameters`', ['breadcrumb']),
  'fetch.document': names('Properties whose references are shown as entities, and parts that are left out otherwise'),
  'translate.directoryEntry': names('Fields of entries whose labels are translated, as Accept-Language says'),
  depth: Type.Optional(Type.Enum(['root', 'children', 'max'], { description: 'How deep entities are shown in one another' })),
  'Accept-Language': Type.Optional(Type.String({ description: 'The language of messages and labels' })),
}

/** How a document is to be saved. */
export const saveHeaders = {
  'X-Versioning-Option': Type.Optional(Type.String({ description: '`none`, `minor` or `major`: which version is made of it' })),
  Source: Type.Optional(
    Type.String({ description: 'Who saves, for rules of versioning. Not looked at beside X-Versioning-Option' }),
  ),
  'Update-Comment': Type.Optional(Type.String({ description: 'Noted with the change' })),
  'X-NXDocumentJsonLegacy': Type.Optional(Type.String({ description: '`true`: an empty text is stored as null' })),
  'X-Batch-No-Drop': Type.Optional(Type.String({ description: '`true`: upload batches that the body names stay' })),
}

/** What a call of an operation heeds. */
export const callHeaders = {
  ...renderHeaders,
  'X-NXVoidOperation': Type.Optional(Type.String({ description: '`true`: answers 204 whatever the operation gives' })),
  'X-Batch-No-Drop': saveHeaders['X-Batch-No-Drop'],
}

/** What a search heeds. */
export const searchHeaders = {
  ...renderHeaders,
  SkipAggregates: Type.Optional(Type.String({ description: '`true`: aggregates are not computed' })),
}

/** What every address below the API heeds. */
export const repositoryHeaders = {
  'X-NXRepository': Type.Optional(
    Type.String({ description: 'The repository, unless the path names one', examples: ['default'] }),
  ),
}

/** What everything heeds that changes something. The vendor's word is that of the deployment. */
export const changeHeaders = {
  'Platform-Transaction-Timeout': Type.Optional(Type.Integer({ description: 'Seconds that the transaction may take' })),
  'Idempotency-Key': Type.Optional(
    Type.String({ description: 'A request with the same key is answered as the first was, and not carried out again' }),
  ),
}

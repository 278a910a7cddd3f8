import { type MayBeAbsent, type Schema, Type } from '../openapi/schema.ts'
import { parseLocales } from './accept-language.ts'

export type WishPerType = 'enrichers' | 'fetch' | 'translate'

/** The names under which a wish about entities of a type is heard: `enrichers.document`, `X-NXfetch-group`. */
export function wishNames(wish: WishPerType, entityType: string): readonly string[] {
  const key = `${wish}-${entityType}`
  const names = [`${wish}.${entityType}`, key, `X-NX${wish}.${entityType}`, `X-NX${wish}-${entityType}`]
  return key === 'enrichers-document' ? [...names, 'X-NXContext-Category'] : names
}

/** Names that all count together, whatever they were sent as and under. */
function wishes(names: readonly string[], description: string, examples?: readonly string[]) {
  const [, ...others] = names
  const also = `${description}. Also called ${others.join(', ')}`
  return Type.Twin(Type.Names({ description: also, ...(examples && { examples }) }), names)
}

export function wishesFor(wish: WishPerType, entityType: string, description: string, examples?: readonly string[]) {
  return wishes(wishNames(wish, entityType), description, examples)
}

export type Depth = 'root' | 'children' | 'max'

const depths: readonly Depth[] = ['root', 'children', 'max']

/** Anything else is the first of them: clients of old send such things. */
export function parseDepth(text: string): Depth {
  return depths.find((depth) => depth === text) ?? 'root'
}

export const acceptLanguage: Schema<readonly string[]> & MayBeAbsent = Type.Parsed(parseLocales, {
  description: 'The languages of messages and labels, best first',
})

export const languageHeaders = Type.Object({ 'Accept-Language': acceptLanguage })

const depth = Type.Twin(
  Type.Parsed(parseDepth, { enum: depths, description: 'How deep entities are shown in one another; `root` unless told' }),
  ['depth'],
)

/** How entries of directories are to be shown. */
export const entryHeaders = {
  'fetch.directoryEntry': wishesFor('fetch', 'directoryEntry', '`parent` shows the entry above as an entity'),
  'translate.directoryEntry': wishesFor(
    'translate',
    'directoryEntry',
    'Fields of entries whose labels are translated, as Accept-Language says',
  ),
  depth,
  'Accept-Language': acceptLanguage,
}

/** How documents are to be shown. `RenderWishes` reads them when an answer is written. */
export const renderHeaders = {
  properties: wishes(
    ['properties', 'X-NXproperties', 'X-NXDocumentProperties'],
    'Schemas whose properties are shown, or `*` for all',
    ['dublincore'],
  ),
  'enrichers.document': wishesFor('enrichers', 'document', 'What to add below `contextParameters`', ['breadcrumb']),
  'fetch.document': wishesFor(
    'fetch',
    'document',
    'Properties whose references are shown as entities, and parts that are left out otherwise',
  ),
  'enrichers.blob': wishesFor('enrichers', 'blob', 'What to add to files'),
  'fetch.acls': wishesFor('fetch', 'acls', 'What the enricher `acls` shows in full: `username`, `creator`, `extended`'),
  ...entryHeaders,
}

/** How users are to be shown. */
export const userHeaders = {
  'enrichers.user': wishesFor('enrichers', 'user', 'What to add below `contextParameters`', ['userprofile']),
  depth,
}

/** How groups are to be shown. */
export const groupHeaders = {
  'fetch.group': wishesFor('fetch', 'group', 'What is shown of the members: `memberUsers`, `memberGroups`, `parentGroups`'),
}

/** How the definition of a type, schema or facet is to be shown. */
export const definitionHeaders = {
  'fetch.schema': wishesFor('fetch', 'schema', '`fields` shows the rules for the values of fields'),
}

/** How a document is to be saved. */
export const saveHeaders = {
  'X-Versioning-Option': Type.Optional(Type.String({ description: '`none`, `minor` or `major`: which version is made of it' })),
  Source: Type.Optional(
    Type.String({ description: 'Who saves, for rules of versioning. Not looked at beside X-Versioning-Option' }),
  ),
  'Update-Comment': Type.Optional(Type.String({ description: 'Noted with the change' })),
  'X-NXDocumentJsonLegacy': Type.Switch({ description: 'An empty text is stored as null; as the server is set up unless told' }),
  'X-Batch-No-Drop': Type.Switch({ description: 'Upload batches that the body names stay' }),
}

/** What a search is asked beside how documents are to be shown. */
export const searchSwitches = {
  SkipAggregates: Type.Switch({ description: 'Aggregates are not computed' }),
}

/** What a call of an operation heeds. */
export const callHeaders = {
  ...renderHeaders,
  'X-NXVoidOperation': Type.Parsed((text) => text === 'true', {
    type: 'boolean',
    description: 'Answers 204 whatever the operation gives',
  }),
  'X-Batch-No-Drop': saveHeaders['X-Batch-No-Drop'],
  ...searchSwitches,
}

/** What a search heeds. */
export const searchHeaders = {
  ...renderHeaders,
  'fetch.aggregate': wishesFor('fetch', 'aggregate', '`key` shows what the keys of buckets refer to'),
  ...searchSwitches,
}

/** What every download heeds (RFC 9110, 13 and 14; RFC 3230). */
export const downloadHeaders = {
  Range: Type.Optional(Type.String({ description: 'Which bytes to send', examples: ['bytes=0-999'] })),
  'If-Range': Type.Optional(
    Type.String({ description: 'The ETag of which those bytes are; all are sent if it is another by now' }),
  ),
  'If-None-Match': Type.Optional(Type.String({ description: 'ETags that the client has: they are not sent again' })),
  'If-Modified-Since': Type.Optional(
    Type.String({ description: 'The Last-Modified of what the client has, which is not sent again while it is that' }),
  ),
  'If-Match': Type.Optional(Type.String({ description: 'ETags, of which it must have one' })),
  'If-Unmodified-Since': Type.Optional(Type.String({ description: 'A date; what has changed since is refused' })),
  'Want-Digest': Type.Optional(
    Type.String({ description: 'Digests to send along: that of the file by its algorithm, `contentMD5`', examples: ['md5'] }),
  ),
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

/** How the body is written and what for. The documentation tells it by media types, not as headers. */
export const contentHeaders = Type.Object({
  'Content-Type': Type.Optional(Type.String()),
  'Content-Length': Type.Forgiving(Type.Integer()),
})

/** Where a page is shown to people and JSON to programs. Told by media types, too. */
export const acceptHeaders = Type.Object({ Accept: Type.Optional(Type.String()) })

import { defineProblem } from '../../base/problem.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { saveHeaders } from '../request/declared-headers.ts'
import type { ApiRequest } from '../request/request.ts'
import type { ServerFacts } from '../services.ts'
import { readHeaders } from './declared-input.ts'
import { entityBody } from './entity-payload.ts'

/** The `document` entity as clients send it, to create one. Everything else in it is for show and not read. */
export const documentBody = entityBody(
  'document',
  {
    type: Type.Text({ description: 'Document type; needed to create' }),
    name: Type.Text({ description: 'Path segment; needed to create' }),
    uid: Type.Text({
      description: 'To change one: that of the address. To create one: another document, whose type and name it gets',
    }),
    changeToken: Type.Text({ description: 'As read; a change by someone else since then is a conflict. Counts only beside uid' }),
    properties: Type.Forgiving(
      Type.Map({
        description: 'Values by `schema:field`, read by the schemas of the type: scalars, lists, objects, files, references',
      }),
    ),
  },
  [{ 'entity-type': 'document', type: 'File', name: 'report', properties: { 'dc:title': 'Report' } }],
)

/** The same to change one. */
export const documentChangeBody: typeof documentBody & { readonly examples: readonly unknown[] } = {
  ...documentBody,
  examples: [{ 'entity-type': 'document', properties: { 'dc:title': 'Annual report' } }],
}

export type DocumentPayload = Static<typeof documentBody>

export const typeOrNameMissing = defineProblem('typeOrNameMissing', 'invalid', (_: object) => 'type or name property is missing')

/** What a new document cannot do without. @throws typeOrNameMissing */
export function requireTypeAndName({ type, name }: Pick<DocumentPayload, 'type' | 'name'>): {
  readonly type: string
  readonly name: string
} {
  if (type === undefined || name === undefined) throw typeOrNameMissing({})
  return { type, name }
}

const legacyHeaders = Type.Object({ 'X-NXDocumentJsonLegacy': saveHeaders['X-NXDocumentJsonLegacy'] })

/** Whether the client means nothing when it sends `""`, as old ones do. */
export function isEmptyStringNull(request: Pick<ApiRequest, 'headers'>, facts: Pick<ServerFacts, 'legacyJson'>): boolean {
  return readHeaders(legacyHeaders, request)['X-NXDocumentJsonLegacy'] ?? facts.legacyJson
}

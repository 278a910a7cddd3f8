import { accessTo } from '../../core/access.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Document } from '../../model/document.ts'
import { entity } from '../../rest/answer.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { aceSchema, writeAce } from '../../rest/render/acl-json.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { defineRoute } from '../../rest/route.ts'
import { placeSchema, showPlace } from './place.ts'
import { findSubject, type ReportedSubject, requireReporter, subjectNotFound } from './subjects.ts'

const grantedPlaceSchema = Type.Object(
  {
    place: placeSchema,
    canRead: Type.Boolean({ description: 'What a check of Read answers now' }),
    aces: Type.Array(aceSchema, { description: 'Entries of the document itself that concern the user or group' }),
  },
  { $id: 'GrantedPlace' },
)

const placesSchema = Type.Object(
  {
    'entity-type': Type.Literal('grantedPlaces'),
    name: Type.String(),
    label: Type.String(),
    kind: Type.Enum(['user', 'group', 'everyone']),
    isAdministrator: Type.Boolean({ description: 'May do everything everywhere, without any entry' }),
    names: Type.Array(Type.String(), { description: 'By which entries concern it: its own, those of its groups, and Everyone' }),
    resultsCount: Type.Integer({ description: 'Of all pages; one more than 10,000 where there are more' }),
    entries: Type.Array(grantedPlaceSchema),
  },
  { $id: 'GrantedPlaces' },
)

const mostCounted = 10_000
const mostAtOnce = 200

/** Where somebody, or a group of theirs, was given or denied something. */
export const placesRoute = defineRoute({
  method: 'GET',
  path: '/management/permissions/places',
  operationId: 'listGrantedPlaces',
  under: 'api',
  summary: 'Documents with entries of their own that concern a user or group, by path',
  query: Type.Object({
    name: Type.String({ maxLength: 500, description: 'Of the user or group', examples: ['Administrator'] }),
    pageSize: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostAtOnce, description: 'Most that are shown; 50 unless told' }),
    ),
    currentPageIndex: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000, description: 'The page, counted from 0' })),
  }),
  answers: { 200: placesSchema, 400: 'not valid', 403: 'no administrator', 404: 'there is no such user or group' },
  async handle(exchange, _parameters, sent) {
    requireReporter(exchange)
    const { name, pageSize = 50, currentPageIndex = 0 } = sent.query
    const subject = await findSubject(exchange, name)
    const { kind, label, principal } = subject
    if (kind === 'unknown') throw subjectNotFound({ name })
    const page = { offset: currentPageIndex * pageSize, limit: pageSize, countLimit: mostCounted }
    const names = [...principal.names]
    const { documents, total } = await exchange.read(({ reader }) => reader.acps.pageNaming(names, page))
    const body: Static<typeof placesSchema> = {
      'entity-type': 'grantedPlaces',
      name,
      label,
      kind,
      isAdministrator: principal.isAdministrator,
      names,
      resultsCount: total,
      entries: await Promise.all(documents.map((document) => showGranted(exchange, subject, document))),
    }
    return entity('grantedPlaces', body)
  },
})

function showGranted(
  { repository }: Exchange,
  { principal }: ReportedSubject,
  document: Document,
): Promise<Static<typeof grantedPlaceSchema>> {
  return accessTo(repository, principal).read(async (session) => ({
    place: showPlace(document),
    canRead: await hasPermission(session, document, 'Read'),
    aces: document.acls
      .flatMap(({ aces }) => aces)
      .filter(({ username }) => principal.names.has(username))
      .map((ace) => writeAce(ace, session.now)),
  }))
}

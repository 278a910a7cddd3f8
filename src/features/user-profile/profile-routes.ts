import { entity } from '../../rest/answer.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentSchema, writeDocument } from '../../rest/render/document-entity.ts'
import { createRenderContext } from '../../rest/render/rendering.ts'
import { renderHeaders } from '../../rest/request/declared-headers.ts'
import { defineRoute, type Route } from '../../rest/route.ts'
import { getOrCreateUserProfile } from './user-profile.ts'

/** By POST, as it may make something; to look at a profile takes no more than the enricher. */
export const profileRoute: Route = defineRoute({
  method: 'POST',
  path: '/me/profile',
  operationId: 'getOrCreateOwnProfile',
  under: 'api',
  summary: 'The profile of the current user as a document, made when there is none; it is changed as any document is',
  ignoresBody: true,
  headers: Type.Object(renderHeaders),
  answers: { 200: documentSchema, 403: 'somebody without a workspace, such as who has not signed in' },
  handle: (exchange) =>
    exchange.write(async (session) => {
      const profile = await getOrCreateUserProfile(session, exchange.services)
      return entity('document', await writeDocument(createRenderContext(session, exchange), profile))
    }),
})

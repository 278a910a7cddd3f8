import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { describeApi, type OpenApiDocument } from '../../rest/openapi/openapi.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { pageAnswer } from '../../rest/page.ts'
import type { Registry } from '../../rest/registry.ts'
import type { Route } from '../../rest/route.ts'
import { renderDocumentationPage } from './documentation-page.ts'

const openApiSchema = Type.Object({ openapi: Type.String() }, { $id: 'OpenApi', additionalProperties: true })

/**
 * The description of the API for programs, and a page of it for people. The page needs a login at `/doc` and none at
 * `/doc/`, which is among the open paths.
 */
export function documentationRoutes(
  registry: Registry,
  about: { readonly basePath: string; readonly version: string },
  vendored: VendorIdentifiers,
): readonly Route[] {
  const openApi = (path: string, operationId: string): Route => ({
    operationId,
    method: 'GET',
    path,
    under: 'api',
    isPublic: true,
    summary: 'This description, as an OpenAPI document',
    answers: { 200: openApiSchema },
    handle: async (): Promise<Answer> => ({ kind: 'entity', status: 200, body: describe() }),
  })
  const routes: readonly Route[] = [
    openApi('/openapi.json', 'getApiDescription'),
    openApi('/doc/openapi.json', 'getApiDescriptionByAlias'),
    {
      operationId: 'getApiPage',
      method: 'GET',
      path: '/doc',
      under: 'api',
      summary: 'This description, as a page to browse',
      answers: { 200: bytesAnswer('The page', 'text/html') },
      handle: async ({ request }) => pageAnswer(renderDocumentationPage(describe(), request.baseUrl)),
    },
  ]

  // Made when it is first asked for: a start should not wait for it.
  let described: OpenApiDocument | undefined
  function describe(): OpenApiDocument {
    const title = `${vendored('Platform')} REST API`
    described ??= describeApi({ ...registry, routes: [...registry.routes, ...routes] }, { title, vendored, ...about })
    return described
  }

  return routes
}

import packageJson from '../../../package.json' with { type: 'json' }
import { entity } from '../../rest/answer.ts'
import { requireManager } from '../../rest/management.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Route } from '../../rest/route.ts'

const distributionSchema = Type.Object(
  {
    'entity-type': Type.Literal('distribution'),
    applicationName: Type.String(),
    applicationVersion: Type.String({ description: 'Of this program' }),
    distributionVersion: Type.String({ description: 'Of the API that it speaks' }),
    runtime: Type.Object({ node: Type.String(), system: Type.String(), sqlite: Type.String() }),
    repositories: Type.Array(Type.Object({ name: Type.String(), engine: Type.String() })),
    started: Type.Moment({ description: 'When this process began' }),
  },
  { $id: 'Distribution' },
)

const started = new Date(performance.timeOrigin).toISOString()

export const distributionRoute: Route = {
  method: 'GET',
  path: '/management/distribution',
  operationId: 'getDistribution',
  under: 'api',
  summary: 'What runs here: versions, engines, and since when',
  answers: { 200: distributionSchema, 403: 'the caller does not look after the server' },
  async handle(exchange) {
    requireManager(exchange)
    const { facts, repositories } = exchange.services
    return entity('distribution', {
      'entity-type': 'distribution',
      applicationName: packageJson.name,
      applicationVersion: packageJson.version,
      distributionVersion: facts.apiVersion,
      runtime: {
        node: process.versions.node,
        system: `${process.platform} ${process.arch}`,
        sqlite: process.versions.sqlite ?? '',
      },
      repositories: [...repositories.values()].map(({ name, store }) => ({ name, engine: store.engine })),
      started,
    })
  },
}

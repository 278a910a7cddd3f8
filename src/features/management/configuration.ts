import { entity } from '../../rest/answer.ts'
import { requireManager } from '../../rest/management.ts'
import { Type } from '../../rest/openapi/schema.ts'
import type { Route } from '../../rest/route.ts'

const settingSchema = Type.Object({
  name: Type.String({ description: 'In `quire.config.ts`' }),
  flag: Type.String({ description: 'On the command line' }),
  variable: Type.String({ description: 'In the environment' }),
  property: Type.Nullable(Type.String({ description: 'The name that clients’ documentation uses' })),
  type: Type.String(),
  help: Type.String(),
  value: Type.Json({ description: 'Sizes are bytes, durations milliseconds; secrets are masked; null where it is not set' }),
  origin: Type.Nullable(Type.String({ description: 'The flag, variable or file that gave it; null where it has its default' })),
})

const configurationSchema = Type.Object(
  {
    'entity-type': Type.Literal('configuration'),
    configuration: Type.Map({ description: 'Values by the names of properties' }),
    entries: Type.Array(settingSchema),
  },
  { $id: 'Configuration' },
)

export const configurationRoute: Route = {
  method: 'GET',
  path: '/management/configuration',
  operationId: 'getConfiguration',
  under: 'api',
  summary: 'Every setting with its value and where it came from, without secrets',
  answers: { 200: configurationSchema, 403: 'the caller does not look after the server' },
  async handle(exchange) {
    requireManager(exchange)
    const {
      facts: { vendored },
      reportSettings,
    } = exchange.services
    const entries = reportSettings().map(({ property, flag, value = null, origin = null, ...rest }) => ({
      ...rest,
      flag: `--${flag}`,
      property: property === undefined ? null : vendored(property),
      // A default is written in its neutral form.
      value: typeof value === 'string' && origin === null ? vendored(value) : value,
      origin,
    }))
    const named = entries.flatMap(({ property, value }) => (property === null || value === null ? [] : [[property, value]]))
    return entity('configuration', { 'entity-type': 'configuration', configuration: Object.fromEntries(named), entries })
  },
}

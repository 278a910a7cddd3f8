import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema, OpenApiOperation } from '../../src/rest/openapi/openapi.ts'
import type { ApiAnswer } from '../../src/testing.ts'

type DescribedCall = Pick<OpenApiOperation, 'responses'>

/** What is looked at of an OpenAPI document. */
interface Described {
  readonly paths: { readonly [path: string]: { readonly [method: string]: DescribedCall } }
  readonly components: { readonly schemas: { readonly [name: string]: JsonSchema } }
}

interface Template {
  readonly path: string
  readonly pattern: RegExp
  readonly methods: Described['paths'][string]
}

/** What the documentation says about a call, and what is wrong with a real answer to it. */
export interface DeclaredAnswers {
  /** Undefined when the answer is as it is declared. */
  findLie(method: string, address: string, answer: Pick<ApiAnswer, 'status' | 'headers' | 'text'>): string | undefined
}

/** Reads the description of an API strictly: what an object has beside its declared properties is a lie unless it is declared open. */
export function declaredAnswersOf({ paths, components }: Described): DeclaredAnswers {
  const templates = Object.entries(paths).map(([path, methods]): Template => ({ path, pattern: patternOf(path), methods }))
  const ajv = new Ajv2020({ strict: false, formats })
  ajv.addSchema({ $id: 'api', components: { schemas: closed(components.schemas) } })
  const validators = new Map<object, ValidateFunction>()

  function validatorOf(schema: object): ValidateFunction {
    const known = validators.get(schema)
    if (known !== undefined) return known
    const validator = ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/components', '"api#/components')))
    validators.set(schema, validator)
    return validator
  }

  function find(method: string, address: string): Template | undefined {
    const path = decodeURI(new URL(address, 'http://server').pathname)
    const fitting = templates.filter((one) => method.toLowerCase() in one.methods && one.pattern.test(path))
    return fitting.sort((left, right) => literalsIn(right.path) - literalsIn(left.path))[0]
  }

  return {
    findLie(method, address, { status, headers, text }) {
      const responses = find(method, address)?.methods[method.toLowerCase()]?.responses
      if (responses === undefined) return 'the call is not described'
      const response = responses[status] ?? (status >= 400 ? responses['default'] : undefined)
      if (response === undefined) return `${status} is not declared`
      if (response.content === undefined) return text === '' ? undefined : `${status} brings ${text}`
      const mediaType = headers.get('content-type')?.split(';')[0] ?? ''
      const media = response.content[mediaType] ?? response.content['*/*']
      if (media === undefined) return `${status} comes as ${mediaType}, not as ${Object.keys(response.content).join(' or ')}`
      if (media.schema['format'] === 'binary') return undefined
      const validate = validatorOf(media.schema)
      return validate(JSON.parse(text)) ? undefined : `${ajv.errorsText(validate.errors)} in ${text.slice(0, 2_000)}`
    },
  }
}

const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  binary: true,
  uri: true,
  int32: true,
  int64: true,
} as const

/** Ids and paths may hold slashes; adapters begin with an at sign, and belong to no path. */
function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, (_, name) => (wide.has(name) ? '(?:(?!/@).)*' : '[^/@]+'))}/?$`)
}

const wide: ReadonlySet<string> = new Set(['docPath', 'blob', 'xpath', 'userId', 'groupId'])

function literalsIn(path: string): number {
  return path.replace(/\{\w+\}/g, '').length
}

/** With every object closed that does not say that it is open. */
function closed(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema), (_key, value) => {
    const isRecord = value?.type === 'object' && value.properties !== undefined && value.additionalProperties === undefined
    return isRecord ? { ...value, additionalProperties: false } : value
  })
}

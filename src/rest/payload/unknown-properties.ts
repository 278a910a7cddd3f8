import type { Log } from '../../base/log.ts'
import { defineProblem } from '../../base/problem.ts'
import { proxySchemas } from '../../core/documents/proxies/proxy.ts'
import type { Model } from '../../model/model.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { Shape } from '../../model/shape.ts'

interface UnknownProperties {
  readonly type: string
  /** The first of them. */
  readonly names: readonly string[]
  readonly count: number
}

export const unknownPropertiesSent = defineProblem(
  'unknownPropertiesSent',
  'invalid',
  ({ type, names, count }: UnknownProperties) => {
    const others = count > names.length ? ` and ${count - names.length} more` : ''
    return `A ${type} has no property ${names.join(', ')}${others}. In development mode properties that would be ignored are refused.`
  },
)

/** What is told of them at most, in an answer and in the log. */
const shownNames = 5
const shownCharacters = 100

/** Where a mistake of the client is logged. */
export interface Watch {
  readonly services: { readonly facts: { readonly devMode: boolean }; readonly log: Log }
}

/**
 * Properties that a document has no place for are ignored, as clients rely on: in development they are refused, and otherwise logged, so
 * that a name that was misspelt is found. Gives whether there were any. @throws unknownPropertiesSent
 */
export function watchUnknownProperties(
  sent: JsonObject,
  model: Model,
  shape: Shape,
  { services: { facts, log } }: Watch,
): boolean {
  const unknown = Object.keys(sent).filter((name) => !isKnown(name, model, shape))
  if (unknown.length === 0) return false
  const names = unknown.slice(0, shownNames).map((name) => name.slice(0, shownCharacters).toWellFormed())
  const found = { type: shape.type.name, names, count: unknown.length }
  if (facts.devMode) throw unknownPropertiesSent(found)
  log.warn({ event: 'properties.unknown', ...found }, 'properties that the document cannot hold were ignored')
  return true
}

/** Fields that are gone are known too, and what a proxy shows beside the properties of its target. */
function isKnown(name: string, model: Model, shape: Shape): boolean {
  const property = name.includes(':') ? model.findProperty(name) : undefined
  if (property !== undefined)
    return shape.properties.has(property.name) || (proxySchemas as readonly string[]).includes(property.schema.name)
  const [prefix, field = ''] = name.split(':')
  return shape.schemas.some(
    (schema) =>
      (schema.name === prefix || schema.prefix === prefix) &&
      Object.keys(schema.removed).some((gone) => gone.split('/')[0] === field),
  )
}

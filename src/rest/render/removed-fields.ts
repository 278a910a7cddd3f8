import { memoised } from '../../base/cache/memo.ts'
import type { Json } from '../../base/json.ts'
import { isJsonObject } from '../../base/json.ts'
import type { Model } from '../../model/model.ts'
import { coerceText, type JsonObject } from '../../model/properties/coercion.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { parseXpath, valueAt, withValueAt, type Xpath } from '../../model/properties/xpath.ts'
import { type DocumentSchema, prefixOf } from '../../model/schema.ts'
import type { Shape } from '../../model/shape.ts'

/**
 * Fields that are gone but still sent: the values go where the fields' content is now (`file:filename` to
 * `file:content/name`). Gives the properties that get them, whole. A field without a successor is ignored.
 */
export function valuesOfRemovedFields(
  sent: JsonObject,
  { model, shape }: { readonly model: Model; readonly shape: Shape },
  values: () => Properties,
): Properties {
  const successors = [...everySuccessor(model, shape, sent)]
  if (successors.length === 0) return {}
  let properties = values()
  const touched = new Set<string>()
  for (const { xpath, value } of successors) {
    // Nothing is named where there is nothing: a file name alone makes no file.
    if (!hasParent(properties, xpath)) continue
    properties = withValueAt(properties, xpath, value)
    touched.add(xpath.property.name)
  }
  return Object.fromEntries([...touched].map((name) => [name, properties[name] ?? null]))
}

interface Successor {
  readonly xpath: Xpath
  readonly value: PropertyValue
}

function* everySuccessor(model: Model, shape: Shape, sent: JsonObject): Generator<Successor> {
  for (const { schema, gone, fallback, names, steps } of succeededFields(shape)) {
    const json = sent[names[0]] ?? sent[names[1]]
    if (json === undefined) continue
    for (const { json: value, indexes } of valuesBelow({ json, indexes: [] }, steps)) {
      const xpath = `${prefixOf(schema)}:${withIndexes(fallback, indexes)}`
      yield {
        xpath: parseXpath(model, xpath),
        value: coerceText(value, `${prefixOf(schema)}:${withIndexes(gone, indexes)}`),
      }
    }
  }
}

interface SucceededField {
  readonly schema: DocumentSchema
  readonly gone: string
  readonly fallback: string
  /** Under which the property is sent that the field was in. */
  readonly names: readonly [string, string]
  /** From there to the field. */
  readonly steps: readonly string[]
}

// Shapes do not change while a server runs, and every write asks.
const succeededFields = memoised((shape: Shape): readonly SucceededField[] =>
  shape.schemas.flatMap((schema) =>
    Object.entries(schema.removed).flatMap(([gone, { fallback }]) =>
      fallback === undefined ? [] : [succeededField(schema, gone, fallback)],
    ),
  ),
)

function succeededField(schema: DocumentSchema, gone: string, fallback: string): SucceededField {
  const [head = '', ...steps] = gone.split('/')
  return { schema, gone, fallback, names: [`${prefixOf(schema)}:${head}`, `${schema.name}:${head}`], steps }
}

interface SentValue {
  readonly json: Json
  /** Of the lists on the way to it. */
  readonly indexes: readonly number[]
}

function valuesBelow(at: SentValue, [step, ...rest]: readonly string[]): readonly SentValue[] {
  const { json, indexes } = at
  if (step === undefined) return [at]
  if (step === '*') {
    return Array.isArray(json)
      ? json.flatMap((item: Json, index) => valuesBelow({ json: item, indexes: [...indexes, index] }, rest))
      : []
  }
  const member = isJsonObject(json) ? json[step] : undefined
  return member === undefined ? [] : valuesBelow({ json: member, indexes }, rest)
}

function withIndexes(path: string, indexes: readonly number[]): string {
  const left = [...indexes]
  return path
    .split('/')
    .map((step) => (step === '*' ? String(left.shift()) : step))
    .join('/')
}

function hasParent(properties: Properties, xpath: Xpath): boolean {
  return xpath.steps.length === 0 || valueAt(properties, { ...xpath, steps: xpath.steps.slice(0, -1) }) !== null
}

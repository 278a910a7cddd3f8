import { Buffer } from 'node:buffer'
import type { OperationHost } from '../../../automation/context.ts'
import { valueOfProperty } from '../../../automation/expressions/property-value.ts'
import { storedBlob } from '../../../automation/values/flowing-blob.ts'
import { jsonOfValue } from '../../../automation/values/read-sent-properties.ts'
import { nothing, type Value } from '../../../automation/values/value.ts'
import { exposedSchemaName } from '../../../automation/workflow.ts'
import { memoised } from '../../../base/cache/memo.ts'
import { isJsonObject, type Json, parseJson } from '../../../base/json.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'
import type { FieldType } from '../../../model/field.ts'
import type { Model } from '../../../model/model.ts'
import { type JsonObject, notDeserialisable } from '../../../model/properties/coercion.ts'
import {
  type BlobValue,
  isComplexValue,
  type Properties,
  type PropertyValue,
  sameValue,
} from '../../../model/properties/property.ts'
import type { PropertyDefinition } from '../../../model/shape.ts'
import { requireStorable } from '../../../store/storable-text.ts'
import { nodeIdOf, textAt } from './route-documents.ts'

/** The variables of an instance, in the order of their schema. None where it has no schema, or one that is no longer deployed. */
export function workflowVariables(model: Model, route: Document): readonly PropertyDefinition[] {
  return variablesOf(model, textAt(route, 'docri:variablesFacet'))
}

export function nodeVariables(model: Model, node: Document): readonly PropertyDefinition[] {
  return variablesOf(model, textAt(node, 'rnode:variablesFacet'))
}

/** The variables of the workflow that the form of the node's task reads and sets. */
export function exposedVariables(model: Model, route: Document, node: Document): readonly PropertyDefinition[] {
  const fields = model.schemas.get(exposedSchemaName(nodeIdOf(node)))?.fields ?? []
  const names = new Set(fields.map(({ name }) => name))
  return workflowVariables(model, route).filter(({ field }) => names.has(field.name))
}

function variablesOf(model: Model, facet: string | undefined): readonly PropertyDefinition[] {
  return facet === undefined ? [] : (variablesByFacet(model).get(facet) ?? [])
}

const variablesByFacet = memoised((model: Model) => {
  const ofSchema = (name: string) => {
    const schema = model.schemas.get(name)
    return schema === undefined ? [] : model.propertiesOf(schema)
  }
  return new Map([...model.facets].map(([name, { schemas }]) => [name, schemas.flatMap(ofSchema)]))
})

/** What expressions see of the variables. */
export function variableValues(document: Document, variables: readonly PropertyDefinition[]): { [name: string]: Value } {
  const values = variables.map(({ name, field }) => {
    const stored = document.properties[name] ?? field.defaultValue
    return [field.name, valueOfProperty(field.type, stored, { document, xpath: name })] as const
  })
  return Object.fromEntries(values)
}

type Reading = { readonly host: OperationHost; readonly session: Session }

/** What chains have set: only variables that there are, and of these only the ones that were set to something else. */
export async function changedVariables(
  reading: Reading,
  document: Document,
  variables: readonly PropertyDefinition[],
  before: { readonly [name: string]: Value },
  after: { readonly [name: string]: Value },
): Promise<Properties> {
  const changed: { [name: string]: PropertyValue } = {}
  for (const variable of variables) {
    const value = after[variable.field.name] ?? nothing
    if (value === before[variable.field.name]) continue
    changed[variable.name] = await valueToStore(reading, variable, value, document.properties[variable.name] ?? null)
  }
  return changed
}

async function valueToStore(reading: Reading, variable: PropertyDefinition, value: Value, current: PropertyValue) {
  const { session, host } = reading
  if (value.kind === 'blob') return blobOrNothing(variable.field.type, await storedBlob(session.repository, value.blob))
  const json = jsonOfValue(value)
  if (json === undefined) throw notDeserialisable({ xpath: variable.name })
  return host.readValue(session, { property: variable, steps: [], type: variable.field.type }, current, fitted(variable, json))
}

function blobOrNothing({ kind }: FieldType, blob: BlobValue): PropertyValue {
  return kind === 'blob' ? blob : null
}

export interface SentVariables {
  readonly sent: JsonObject
  /** All values are texts, lists as JSON in a text (contract: workflow 5). */
  readonly isLegacy: boolean
}

/**
 * The changes that sent variables mean for the document that holds them. Names of others are ignored, as is what stays the same.
 * @throws notDeserialisable, blobNotResolvable, unstorableText
 */
export async function readSentVariables(
  { host, session }: Reading,
  document: Document,
  variables: readonly PropertyDefinition[],
  { sent, isLegacy }: SentVariables,
): Promise<Properties> {
  const changed: { [name: string]: PropertyValue } = {}
  for (const variable of variables) {
    const json = findSent(variable, sent)
    if (json === undefined) continue
    if (!isLegacy && variable.field.type.kind === 'blob' && !mayBeFile(json)) throw notDeserialisable({ xpath: variable.name })
    const current = document.properties[variable.name] ?? variable.field.defaultValue
    const place = { property: variable, steps: [], type: variable.field.type }
    const given = isLegacy ? legacy(variable, json) : fitted(variable, json)
    const value = await host.readValue(session, place, current, given)
    if (isJsonObject(given) && variable.field.type.kind === 'blob' && !isFileOf(given, current, value))
      throw notDeserialisable({ xpath: variable.name })
    requireStorable(value, `The variable ${variable.field.name}`)
    if (!sameValue(current, value)) changed[variable.name] = value
  }
  return changed
}

/** Documents keep their file where something else is sent for it; a variable is refused (contract: workflow 5). */
function mayBeFile(json: Json): boolean {
  return json === null || json === '' || isJsonObject(json)
}

/** Where an object names no file, what is there stays; that is meant only where it describes it, as clients send entities back. */
function isFileOf({ digest }: JsonObject, current: PropertyValue, value: PropertyValue): boolean {
  if (value === null) return false
  return value !== current || (isComplexValue(current) && current['digest'] === digest)
}

/** By its own name, or with the prefix of the schema before it. */
function findSent({ name, field, schema }: PropertyDefinition, sent: JsonObject): Json | undefined {
  const found = [field.name, name, `${schema.name}:${field.name}`].find((one) => Object.hasOwn(sent, one))
  return found === undefined ? undefined : sent[found]
}

/** Users and groups may come as entities, and a list as a text with JSON in it, as public documentation shows. */
function fitted({ field: { type } }: PropertyDefinition, json: Json): Json {
  if (type.kind === 'list') {
    const list = typeof json === 'string' ? listIn(json) : json
    return Array.isArray(list) ? list.map(principalReference) : list
  }
  return principalReference(json)
}

function listIn(text: string): Json {
  if (text.trim() === '') return null
  if (!text.trim().startsWith('[')) return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

function legacy(variable: PropertyDefinition, json: Json): Json {
  return typeof json === 'string' || json === null ? fitted(variable, json) : fitted(variable, JSON.stringify(json))
}

function principalReference(json: Json): Json {
  if (!isJsonObject(json)) return json
  const { 'entity-type': kind, id, groupname } = json
  const name = typeof id === 'string' ? id : groupname
  return (kind === 'user' || kind === 'group') && typeof name === 'string' ? `${kind}:${name}` : json
}

export const variablesTooLarge = defineProblem(
  'variablesTooLarge',
  'invalid',
  (of: { what: string; max: number }) =>
    `The variables of ${of.what} would have more than ${of.max} bytes in all, written as JSON. Shorten them; what is longer belongs into a file or a document.`,
)

const maxVariableBytes = 100_000

/**
 * They are shown with every document that the workflow is about. What had more before there was a bound may go on, and grow by a little.
 * @throws variablesTooLarge
 */
export function requireBoundedVariables(what: string, names: readonly string[], before: Properties, after: Properties): void {
  const sizeOf = (properties: Properties) => Buffer.byteLength(JSON.stringify(names.flatMap((name) => properties[name] ?? [])))
  const size = sizeOf(after)
  if (size <= maxVariableBytes) return
  const was = sizeOf(before)
  if (was <= maxVariableBytes || size > was + maxVariableBytes / 10) throw variablesTooLarge({ what, max: maxVariableBytes })
}

import { memoised } from '../base/cache/memo.ts'
import type { Document } from './document.ts'
import type { Model } from './model.ts'

type Content = Pick<Document, 'facets' | 'properties'>
type TypedContent = Content & Pick<Document, 'type'>

/** What a copy or a version of the document has of it: all but what is of this very document (`staysBehind`, `isReserved`). */
export function carriedContent<One extends TypedContent>(model: Model, document: One): One {
  const { facets, names } = stayingBehind(model)
  if (!document.facets.some((facet) => facets.has(facet)) && !names.some((name) => name in document.properties)) return document
  const { carried } = split(model, document)
  return { ...document, ...carried }
}

/** The content of a version on its live document, which keeps what is its own. */
export function restoredContent(model: Model, live: TypedContent, version: TypedContent): Content {
  const [{ carried }, { left }] = [split(model, version), split(model, live)]
  return {
    facets: [...new Set([...carried.facets, ...left.facets])],
    properties: { ...carried.properties, ...left.properties },
  }
}

function split(model: Model, content: TypedContent): { readonly carried: Content; readonly left: Content } {
  const { facets, properties } = content
  const behind = stayingBehind(model)
  const isLeft = new Set([...behind.names, ...onlyInReserved(model, content)])
  const pick = (wanted: boolean): Content => ({
    facets: facets.filter((facet) => behind.facets.has(facet) === wanted),
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isLeft.has(name) === wanted)),
  })
  return { carried: pick(false), left: pick(true) }
}

/** Names of the properties that the document has only by reserved facets of its own. */
function onlyInReserved(model: Model, { type, facets }: TypedContent): readonly string[] {
  const [reserved, others] = [true, false].map((wanted) =>
    facets.filter((name) => (model.facets.get(name)?.isReserved ?? false) === wanted),
  )
  const remaining = model.shapeOf({ type, facets: others ?? [] })
  return [...model.shapeOf({ type, facets: reserved ?? [] }).properties.keys()].filter((name) => !remaining.properties.has(name))
}

/** Names of properties, and of the facets that are reserved or bring nothing else. */
const stayingBehind = memoised((model: Model) => {
  const schemas = [...model.schemas.values()].filter(({ staysBehind }) => staysBehind)
  const isBehind = new Set(schemas.map(({ name }) => name))
  const facets = [...model.facets.values()].filter(
    ({ schemas, isReserved }) => isReserved || (schemas.length > 0 && schemas.every((name) => isBehind.has(name))),
  )
  return {
    names: schemas.flatMap((schema) => model.propertiesOf(schema)).map(({ name }) => name),
    facets: new Set(facets.map(({ name }) => name)),
  }
})

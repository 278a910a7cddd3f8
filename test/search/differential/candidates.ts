import { repeating } from '../../../src/core/documents/proxies/proxy.ts'
import type { Document } from '../../../src/model/document.ts'
import { type FieldType, isScalar } from '../../../src/model/field.ts'
import type { Model } from '../../../src/model/model.ts'
import { isComplexValue, type PropertyValue } from '../../../src/model/properties/property.ts'
import { tokenise } from '../../../src/nxql/fulltext/fulltext-tokens.ts'
import type { Candidate } from '../../support/nxql/evaluator.ts'

/** The documents as queries see them, in the order of creation: proxies show what they point to. */
export function candidatesOf(model: Model, documents: readonly Document[]): readonly Candidate[] {
  const byId = new Map(documents.map((document) => [document.id, document]))
  return documents.map((stored) => {
    const target = stored.isProxy ? byId.get(stored.targetId ?? '') : undefined
    const document = target === undefined ? stored : repeating(model, stored, target)
    return { document, ancestorIds: ancestorsOf(stored, byId), words: wordsOf(model, document), ...(target && { target }) }
  })
}

function ancestorsOf({ parentId }: Document, byId: ReadonlyMap<string, Document>): readonly string[] {
  const ids: string[] = []
  for (let id = parentId; id !== null; id = byId.get(id)?.parentId ?? null) ids.push(id)
  return ids
}

// No word, so that no phrase reaches from one text into the next.
const endOfText = ''

function wordsOf(model: Model, document: Document): Candidate['words'] {
  const everything = [...model.shapeOf(document).properties.values()].flatMap(({ name, field }) =>
    textsOf(field.type, document.properties[name] ?? null),
  )
  const title = document.properties['dc:title']
  const description = document.properties['dc:description']
  return new Map([
    ['default', everything.flatMap((text) => [...tokenise(text), endOfText])],
    ['title', typeof title === 'string' ? tokenise(title) : []],
    ['description', typeof description === 'string' ? tokenise(description) : []],
  ])
}

/** The texts in all fields of text, at any depth; of a file its name. */
function textsOf(type: FieldType, value: PropertyValue): readonly string[] {
  if (value === null) return []
  if (isScalar(type)) return type.kind === 'string' && typeof value === 'string' ? [value] : []
  if (type.kind === 'list') return Array.isArray(value) ? value.flatMap((item) => textsOf(type.item.type, item)) : []
  if (!isComplexValue(value)) return []
  if (type.kind === 'blob') return typeof value['name'] === 'string' ? [value['name']] : []
  return type.fields.flatMap((member) => textsOf(member.type, value[member.name] ?? null))
}

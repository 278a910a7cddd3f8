import type { Model } from '../../model/model.ts'
import { defineMistake } from '../mistake.ts'
import type { TypeFilter } from '../query.ts'
import type { NameNode } from '../syntax/tree.ts'

export const unknownQueryType = defineMistake('unknownQueryType', ({ name }: { name: string }) => `Unknown type: ${name}`)

/** The root of the repository is found by no query. */
const rootType = 'Root'

/** The types named and all that extend them. @throws unknownQueryType */
export function checkFrom(model: Model, names: readonly NameNode[]): TypeFilter {
  const wanted = new Set(names.flatMap((node) => typesOf(model, node)))
  wanted.delete(rootType)
  const types = [...model.types.keys()]
  return { types: types.filter((type) => wanted.has(type)), otherTypes: types.filter((type) => !wanted.has(type)) }
}

function typesOf(model: Model, { name, offset }: NameNode): readonly string[] {
  const type = name.toLowerCase() === 'document' ? 'Document' : name
  if (!model.types.has(type)) throw unknownQueryType({ name, offset })
  return model.typesExtending(type)
}

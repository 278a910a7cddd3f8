import { type Field, type FieldType, isScalar } from '../../../src/model/field.ts'
import type { PropertyDefinition } from '../../../src/model/shape.ts'
import type { ValueType } from '../../../src/nxql/reference.ts'
import type { Random } from '../../faults/kill/random.ts'
import { happens, inOneWay, oneOf } from './chance.ts'

/** Something that a query can name: `th:rows/*1/name`. */
export interface AskedPlace {
  readonly written: string
  readonly type: ValueType
  /** A list as a whole. */
  readonly isList: boolean
}

export interface PlaceWishes {
  readonly wildcards: boolean
  readonly lists: boolean
}

/** A place in one of the properties; undefined when chance led to none that is wished for. */
export function aPlace(random: Random, properties: readonly PropertyDefinition[], wishes: PlaceWishes): AskedPlace | undefined {
  const { name, schema, field } = oneOf(random, properties)
  const isBare = schema.prefix === undefined && happens(random, 0.2)
  return descend(random, isBare ? bareName(properties, field, name) : name, field.type, wishes)
}

/** Without its prefix, where no other schema has a field of this name. */
function bareName(properties: readonly PropertyDefinition[], field: Field, name: string): string {
  const isOnly = properties.filter((other) => other.field.name === field.name).length === 1
  return isOnly ? field.name : name
}

function descend(random: Random, written: string, type: FieldType, wishes: PlaceWishes): AskedPlace | undefined {
  if (isScalar(type)) return { written, type: type.kind === 'binary' ? 'string' : type.kind, isList: false }
  switch (type.kind) {
    case 'blob': {
      const member = oneOf(random, ['name', 'length', 'mime-type', 'digest', 'data', 'encoding'])
      return { written: `${written}/${member}`, type: member === 'length' ? 'long' : 'string', isList: false }
    }
    case 'complex': {
      const member = oneOf(random, type.fields)
      return descend(random, `${written}/${member.name}`, member.type, wishes)
    }
    case 'list': {
      const item = type.item.type
      if (isScalar(item) && wishes.lists && happens(random, 0.5)) {
        return { written, type: item.kind === 'binary' ? 'string' : item.kind, isList: true }
      }
      return descend(random, `${written}/${aStep(random, wishes)}`, item, wishes)
    }
  }
}

function aStep(random: Random, { wildcards }: PlaceWishes): string {
  const step = inOneWay(random, [
    [1, () => String(random.between(0, 4))],
    [wildcards ? 2 : 0, () => '*'],
    // Few numbers, so that wildcards meet.
    [wildcards ? 3 : 0, () => `*${random.between(1, 3)}`],
  ])
  return happens(random, 0.1) ? `item[${step}]` : step
}

import type { FieldType } from '../field.ts'
import { isComplexValue, type PropertyValue } from './property.ts'

/** Hands over every value of the wanted types that a value of a field holds, itself or somewhere inside. */
export type LeafWalk = (value: PropertyValue, found: (leaf: PropertyValue, type: FieldType) => void) => void

/** How to walk values of a type; undefined when none of them can hold what is wanted. */
export function leafWalk(type: FieldType, isWanted: (type: FieldType) => boolean): LeafWalk | undefined {
  if (isWanted(type)) return (value, found) => found(value, type)
  if (type.kind === 'list') return walkItems(leafWalk(type.item.type, isWanted))
  if (type.kind !== 'complex') return undefined
  const members = type.fields.flatMap(({ name, type: member }) => {
    const walk = leafWalk(member, isWanted)
    return walk === undefined ? [] : [{ name, walk }]
  })
  return members.length === 0 ? undefined : walkMembers(members)
}

function walkItems(walk: LeafWalk | undefined): LeafWalk | undefined {
  if (walk === undefined) return undefined
  return (value, found) => {
    if (Array.isArray(value)) for (const item of value) walk(item, found)
  }
}

function walkMembers(members: readonly { readonly name: string; readonly walk: LeafWalk }[]): LeafWalk {
  return (value, found) => {
    if (isComplexValue(value)) for (const { name, walk } of members) walk(value[name] ?? null, found)
  }
}

import type { BlobValue, Properties, PropertyValue } from '../../model/properties/property.ts'
import { isBlobValue, isComplexValue, sameValue } from '../../model/properties/property.ts'
import { anyBytes, findTypeOfName, normalised, saysNothing } from './mime-type.ts'

/** The blob with a type that says as much as its name does, under the name that this type is stored under. */
export function repairedBlob(blob: BlobValue): BlobValue {
  const type = blob['mime-type']
  const repaired = saysNothing(type) ? (findTypeOfName(blob.name ?? '') ?? anyBytes) : normalised(type)
  return repaired === type ? blob : { ...blob, 'mime-type': repaired }
}

/** The properties with every blob repaired that was not there before; the very same when there was nothing to repair. */
export function repairedProperties(names: readonly string[], before: Properties, after: Properties): Properties {
  let repaired = after
  for (const name of names) {
    const value = after[name] ?? null
    const better = repairedValue(before[name] ?? null, value)
    if (better !== value) repaired = { ...repaired, [name]: better }
  }
  return repaired
}

function repairedValue(before: PropertyValue, after: PropertyValue): PropertyValue {
  if (after === null || sameValue(before, after)) return after
  if (isBlobValue(after)) return repairedBlob(after)
  if (Array.isArray(after)) return repairedItems(Array.isArray(before) ? before : [], after)
  return isComplexValue(after) ? repairedMembers(isComplexValue(before) ? before : {}, after) : after
}

function repairedItems(before: readonly PropertyValue[], after: readonly PropertyValue[]): readonly PropertyValue[] {
  const repaired = after.map((item, index) => repairedValue(before[index] ?? null, item))
  return repaired.every((item, index) => item === after[index]) ? after : repaired
}

function repairedMembers(before: Properties, after: Properties): PropertyValue {
  return repairedProperties(Object.keys(after), before, after)
}
